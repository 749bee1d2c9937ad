import { describe, expect, it } from 'vitest';
import { captionsOf, questionOf, type Stream } from './captions';

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

/** C02: the question box holds the last question and stays through short remarks. */
it.each([
  [['Hello, and welcome. What do you do at the moment?'], 'What do you do at the moment?'],
  [['What do you do?', 'Take your time.'], 'What do you do?'],
  [['Thanks. Tell me about a project that went wrong.'], 'Tell me about a project that went wrong.'],
  [['What was the result?', 'Your answers are saved. Goodbye.'], 'What was the result?'],
  [['Mhm.'], undefined],
])('of %o the question is %s', (utterances, question) => {
  const list = utterances.flatMap((text, n) => [
    stream('agent', `q${n}`, text, true),
    stream('cand', `r${n}`, 'Mm', true),
  ]);
  expect(questionOf(captionsOf(list, 'cand'))).toBe(question);
});
