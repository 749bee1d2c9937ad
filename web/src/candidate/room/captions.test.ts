import { describe, expect, it } from 'vitest';
import { captionsOf, joinedUp, type Stream } from './captions';

let streams = 0;
function stream(who: 'agent' | 'cand', segment: string, text: string, final: boolean): Stream {
  streams += 1;
  const attributes = { 'lk.segment_id': segment, 'lk.transcription_final': String(final) };
  return {
    text,
    participantInfo: { identity: who },
    streamInfo: { id: `s${streams}`, timestamp: streams, attributes },
  };
}
const shown = (list: Stream[]) =>
  captionsOf(list, 'cand').map(({ speaker, said, partial }) => `${speaker}: ${said}|${partial}`);

/** C02, R03: captions of both sides; a partial is replaced by its final at the same place. */
describe('captions', () => {
  it('a partial grows in place and turns into the final', () => {
    const partials = [stream('cand', 'c1', 'I wor', false), stream('cand', 'c1', 'I work on', false)];
    expect(shown(partials)).toEqual(['candidate: |I work on']);
    expect(shown([...partials, stream('cand', 'c1', 'I work on payments', true)])).toEqual([
      'candidate: I work on payments|',
    ]);
  });

  it('a late partial does not take back a final', () => {
    expect(shown([stream('cand', 'c1', 'yes', true), stream('cand', 'c1', 'ye', false)])).toEqual(['candidate: yes|']);
  });

  it('segments of one reply are one caption, and a nudge is another', () => {
    const list = [
      stream('agent', 'r1-0', 'Thanks.', false),
      stream('agent', 'r1-1', 'What came next?', false),
      stream('agent', 'r2-0', 'Take your time.', true),
    ];
    expect(shown(list)).toEqual(['interviewer: Thanks. What came next?|', 'interviewer: Take your time.|']);
  });

  it('what the candidate says in a row is one caption, until the interviewer speaks', () => {
    const list = [
      stream('cand', 'c1', 'A freeze.', true),
      stream('cand', 'c2', 'Then a thaw.', true),
      stream('agent', 'r1-0', 'I see.', true),
      stream('cand', 'c3', 'Yes.', true),
    ];
    expect(shown(list)).toEqual(['candidate: A freeze. Then a thaw.|', 'interviewer: I see.|', 'candidate: Yes.|']);
  });

  it('the same segment id on both sides is two segments', () => {
    expect(shown([stream('agent', 'x', 'Hello.', true), stream('cand', 'x', 'Hi.', true)])).toHaveLength(2);
  });

  it('words behind a partial stay behind it', () => {
    expect(shown([stream('cand', 'c1', 'first', false), stream('cand', 'c2', 'second', true)])).toEqual([
      'candidate: |first second',
    ]);
  });

  it('empty streams and missing attributes are harmless', () => {
    const bare: Stream = { text: 'Hi.', participantInfo: { identity: 'agent' }, streamInfo: { id: 'n', timestamp: 0 } };
    expect(shown([stream('cand', 'c1', '  ', false), bare])).toEqual(['interviewer: Hi.|']);
    expect(shown([])).toEqual([]);
  });
});

/** C02: who joins again reads all that was said, and nothing twice. */
it.each<[string, string[], Stream[], string[]]>([
  ['nothing since', ['Hello. What broke?'], [], ['Hello. What broke?']],
  ['the other side since', ['What broke?'], [stream('cand', 'c1', 'A disk', false)], ['What broke?', 'A disk']],
  [
    'more of the same reply',
    ['Thanks for that.'],
    [stream('agent', 'r2-1', 'What broke?', true)],
    ['Thanks for that.', 'What broke?'],
  ],
  [
    'a part that is in both',
    ['Hello. What broke?'],
    [stream('agent', 'r1-1', 'What broke?', true)],
    ['Hello.', 'What broke?'],
  ],
  [
    'a part that is in both, and what follows it',
    ['Hello. So what broke?'],
    [stream('agent', 'r1-1', 'So what broke?', true), stream('agent', 'r1-2', 'And when?', true)],
    ['Hello.', 'So what broke? And when?'],
  ],
  [
    'words that were not whole yet',
    ['What broke?', 'it was the …'],
    [stream('cand', 'c1', 'It was the disk.', true)],
    ['What broke?', 'It was the disk.'],
  ],
  [
    'words that are understood anew',
    ['What broke?', 'Well. I am the slot where engineer and have worked for six year …'],
    [stream('cand', 'c1', 'I am a software engineer and have worked for six', false)],
    ['What broke?', 'Well.', 'I am a software engineer and have worked for six'],
  ],
  [
    'words that come again much later',
    ['What broke?', 'I work on ledgers, and they were down …'],
    [stream('cand', 'c2', 'I work on', false)],
    ['What broke?', 'I work on ledgers, and they were down …', 'I work on'],
  ],
  [
    'another sentence that begins alike',
    ['What broke?', 'The disk broke, and then we …'],
    [stream('cand', 'c2', 'And then the mirror failed.', true)],
    ['What broke?', 'The disk broke, and then we …', 'And then the mirror failed.'],
  ],
  [
    'another long one that begins alike',
    ['What broke?', 'I was the lead of the team in Oslo for two years …'],
    [
      stream(
        'cand',
        'c2',
        'I was also the one on call for the whole of the team, and in March, for two days, nothing worked.',
        true,
      ),
    ],
    [
      'What broke?',
      'I was the lead of the team in Oslo for two years …',
      'I was also the one on call for the whole of the team, and in March, for two days, nothing worked.',
    ],
  ],
  [
    'another question that begins alike',
    ['What did you do in the second project?'],
    [stream('agent', 'r3-1', 'What did the others do?', true)],
    ['What did you do in the second project?', 'What did the others do?'],
  ],
  [
    'one word that is alike by chance',
    ['What broke?', 'The disk broke, and …'],
    [stream('cand', 'c2', 'and then the mirror', false)],
    ['What broke?', 'The disk broke, and …', 'and then the mirror'],
  ],
])('%s', (_, said, streams, expected) => {
  const earlier = said.map((text, n) => ({
    key: `earlier ${n}`,
    speaker: n % 2 === 0 ? ('interviewer' as const) : ('candidate' as const),
    said: text,
    partial: '',
  }));
  const all = joinedUp(earlier, captionsOf(streams, 'cand'));
  expect(all.map(({ said, partial }) => said + partial)).toEqual(expected);
});
