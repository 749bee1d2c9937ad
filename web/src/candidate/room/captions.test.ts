import { describe, expect, it } from 'vitest';
import { type Caption, captionsOf, joinedUp, questionOf, type Said, type Stream } from './captions';

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

  it('segments of one speaker are one caption, until the other speaks', () => {
    const list = [
      stream('agent', 'a1', 'Thanks.', false),
      stream('agent', 'a2', 'What came next?', false),
      stream('cand', 'c1', 'A freeze.', true),
      stream('agent', 'a3', 'I see.', true),
    ];
    expect(shown(list)).toEqual([
      'interviewer: Thanks. What came next?|',
      'candidate: A freeze.|',
      'interviewer: I see.|',
    ]);
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

/** C02: the question box holds the last question and stays through short remarks. */
it.each([
  [['Hello, and welcome. What do you do at the moment?'], 'What do you do at the moment?'],
  [['What do you do?', 'Take your time.'], 'What do you do?'],
  [['Thanks. Tell me about a project that went wrong.'], 'Tell me about a project that went wrong.'],
  [['What was the result?', 'Your answers are saved. Goodbye.'], 'What was the result?'],
  [['Mhm.'], undefined],
  [['Thank you for telling me about'], undefined],
])('of %o the question is %s', (utterances, question) => {
  const streams = utterances.flatMap((text, n) => [
    stream('agent', `r${n}-0`, text, true),
    stream('cand', `c${n}`, 'Mm', true),
  ]);
  expect(asked(streams)).toBe(question);
});

/** C02, T02: a nudge is no new question, though it may ask; the next stage's first question is one. */
describe('a question', () => {
  const question = stream('agent', 'r1-0', 'Thanks. What broke?', true);
  const nudge = stream('agent', 'r2-0', 'Take your time. Shall I say it again?', true);
  it('stays through a nudge', () => expect(asked([question, nudge])).toBe('What broke?'));
  it('stays until its own reply asks on', () =>
    expect(asked([question, stream('agent', 'r1-1', 'And who mended it?', true)])).toBe('And who mended it?'));
  it('makes way once the candidate has spoken', () =>
    expect(asked([question, stream('cand', 'c1', 'The disk', false), nudge])).toBe('Shall I say it again?'));
  it('makes way in the next stage', () =>
    expect(asked([question, nudge], (reply) => (reply.endsWith('r1') ? 'one' : 'two'))).toBe('Shall I say it again?'));
  it('is known again after a reload', () => {
    const said = { key: 'earlier 0', speaker: 'interviewer' as const, said: 'Hello. What broke?', partial: '' };
    expect(asked([], () => undefined, [said])).toBe('What broke?');
  });
});

/** C02: what is stated on the way to a question is never shown as one. */
it('shows no statement while its reply goes on', () => {
  const old = stream('agent', 'r1-0', 'What broke?', true);
  const answer = stream('cand', 'c1', 'The disk', true);
  const stated = stream('agent', 'r2-0', 'Thank you for telling me about the disk.', true);
  const asks = stream('agent', 'r2-1', 'Who mended it?', true);
  const during = (...streams: Stream[]) => asked(streams, undefined, [], true);
  expect(during(old, answer, stated)).toBe('What broke?');
  expect(during(old, answer, stated, asks)).toBe('Who mended it?');
  expect(asked([old, answer, stated])).toBe('Thank you for telling me about the disk.');
});

/** C02: a file's name and a number end no sentence. */
it('shows the whole of a question with a dot in it', () => {
  const text = 'Thank you. The limit is 0.3: what is behind this line of plan.md?';
  expect(asked([stream('agent', 'r1-0', text, true)])).toBe('The limit is 0.3: what is behind this line of plan.md?');
});

function asked(streams: Stream[], stageOf: Said['stageOf'] = () => 'one', earlier: Caption[] = [], speaking = false) {
  return questionOf({ earlier, streams, candidate: 'cand', stageOf, speaking });
}
