import { describe, expect, it } from 'vitest';
import type { Stream } from './captions';
import { countOf, isCounted, type Question, questionIn, questionOf } from './question';

const agent = (segment: string, text: string): Stream => ({
  text,
  participantInfo: { identity: 'agent' },
  streamInfo: { id: segment, timestamp: 0, attributes: { 'lk.segment_id': segment } },
});

/** `counted`: the replies that were counted, such as r1; `stages`: those that belong to another stage than `one`. */
function shown(
  streams: Stream[],
  counted: string[],
  stages: Record<string, string> = {},
  before?: Question,
  going?: string,
): string | undefined {
  const stageOf = (reply: string) => stages[reply.replace('interviewer ', '')] ?? 'one';
  const told = { before, streams, candidate: 'cand', stageOf };
  return questionOf({
    ...told,
    going: going && `interviewer ${going}`,
    counted: new Set(counted.map((reply) => `interviewer ${reply}`)),
  })?.text;
}

/** C02: the question box holds the question that counts, through all that is said beside it. */
describe('the current question', () => {
  const question = agent('r1-0', 'Thanks. What broke?');
  const nudge = agent('r2-0', 'Is your microphone muted?');
  const next = agent('r3-0', 'I see. Who mended it?');

  it('stays through a nudge that asks', () => expect(shown([question, nudge], ['r1'])).toBe('What broke?'));
  it('is the next one once it is counted', () => {
    expect(shown([question, nudge, next], ['r1'])).toBe('What broke?');
    expect(shown([question, nudge, next], ['r1', 'r3'])).toBe('Who mended it?');
  });
  it('stays through the goodbye', () =>
    expect(shown([question, agent('r2-0', 'Thank you, that was all of it. Goodbye!')], ['r1'])).toBe('What broke?'));
  it('may be a request', () =>
    expect(shown([agent('r1-0', 'Thanks. Tell me about a project that went wrong.')], ['r1'])).toBe(
      'Tell me about a project that went wrong.',
    ));
  it('is none of what leads to it while its captions are behind', () => {
    const asks = (text: string) => [question, agent('r2-0', `Let us move on to your past experience.${text}`)];
    const during = (text: string) => shown(asks(text), ['r1', 'r2'], {}, undefined, 'r2');
    expect(during(' Which project are')).toBe('What broke?');
    expect(during(' Which project are you proud of?')).toBe('Which project are you proud of?');
  });
  it('may be short', () => expect(shown([agent('r1-0', 'Go on.')], ['r1'])).toBe('Go on.'));
  it('is of several segments', () =>
    expect(shown([question, agent('r1-1', 'And who mended it?')], ['r1'])).toBe('And who mended it?'));
  it('has no end at a dot within it', () =>
    expect(shown([agent('r1-0', 'Well. The limit is 0.3: what is behind it in plan.md?')], ['r1'])).toBe(
      'The limit is 0.3: what is behind it in plan.md?',
    ));
});

/** C02: during a bridge it is not the old stage's once the new stage asks; a new stage that counts none has its first. */
describe('in the next stage', () => {
  const old = agent('r1-0', 'What broke?');
  const bridge = agent('r2-0', 'Let us move on to something else now.');
  it('it is the old one while nothing is asked', () =>
    expect(shown([old, bridge], ['r1'], { r2: 'two' })).toBe('What broke?'));
  it('it is the first that is asked', () =>
    expect(shown([old, bridge, agent('r2-1', 'Which project?')], ['r1'], { r2: 'two' })).toBe('Which project?'));
  it('it is not a second one that is not counted', () => {
    const streams = [old, agent('r2-0', 'Which project?'), agent('r3-0', 'Shall I say it again?')];
    expect(shown(streams, ['r1'], { r2: 'two', r3: 'two' })).toBe('Which project?');
  });
});

/** C02: it survives a cut and a reload. */
describe('known from before', () => {
  const before: Question = { text: 'What broke?', stage: 'one' };
  it('it stays while nothing is said', () => expect(shown([], [], {}, before)).toBe('What broke?'));
  it('it stays through a nudge', () =>
    expect(shown([agent('r9-0', 'Shall I say it again?')], [], {}, before)).toBe('What broke?'));
  it('it makes way for one that counts', () =>
    expect(shown([agent('r9-0', 'Who mended it?')], ['r9'], {}, before)).toBe('Who mended it?'));
});

describe('in a transcript', () => {
  const turn = (speaker: 'interviewer' | 'candidate', text: string, stage = 'one') => ({
    speaker,
    text,
    stage,
    at_ms: 0,
    cut: false,
  });
  it.each([
    [[], undefined],
    [[turn('interviewer', 'Hello. What broke?')], 'What broke?'],
    [[turn('interviewer', 'What broke?'), turn('interviewer', 'Is your microphone muted?')], 'What broke?'],
    [[turn('interviewer', 'What broke?'), turn('candidate', 'A disk.'), turn('interviewer', 'When?')], 'When?'],
    [[turn('interviewer', 'What broke?'), turn('interviewer', 'Which project?', 'two')], 'Which project?'],
    [[turn('interviewer', 'What broke?'), turn('candidate', 'A disk. You see?')], 'What broke?'],
  ])('of %o it is %s', (turns, text) => expect(questionIn(turns)?.text).toBe(text));
});

it.each([
  ['one', '0/5', 'one', '1/5', true],
  ['one', '1/5', 'one', '1/5', false],
  ['one', '2/5', 'two', '0/3', false],
  ['one', '2/5', 'two', '1/3', true],
  [undefined, undefined, 'one', '1', true],
  ['one', '1/5', 'one', '', false],
])('from %s %s to %s %s a question is counted: %s', (from, before, to, now, expected) =>
  expect(isCounted(countOf(from, before), countOf(to, now))).toBe(expected),
);
