import { expect, it } from 'vitest';
import { type Facts, type Situation, situation, wordsOf } from './situation';

const facts: Facts = {
  line: { kind: 'joined' },
  ending: 'no',
  microphone: 'on',
  isPaused: false,
  isTyping: false,
  isHeld: false,
  interviewer: 'met',
  agent: 'listening',
  begun: true,
};
const rows: [Partial<Facts>, Situation][] = [
  [{}, 'listening'],
  [{ agent: 'thinking' }, 'thinking'],
  [{ agent: 'thinking', begun: false }, 'connecting'],
  [{ agent: 'thinking', begun: false, microphone: 'muted' }, 'connecting'],
  [{ agent: 'speaking', begun: false }, 'speaking'],
  [{ agent: 'speaking' }, 'speaking'],
  [{ microphone: 'muted' }, 'muted'],
  [{ microphone: 'muted', agent: 'speaking' }, 'muted'],
  [{ agent: undefined }, 'connecting'],
  [{ agent: 'initializing' }, 'connecting'],
  [{ agent: undefined, microphone: 'muted' }, 'connecting'],
  [{ line: { kind: 'joining' } }, 'connecting'],
  [{ microphone: 'lost' }, 'no-microphone'],
  [{ microphone: 'lost', agent: undefined }, 'no-microphone'],
  [{ ending: 'sent' }, 'ending'],
  [{ ending: 'accepted', agent: undefined }, 'ending'],
  [{ line: { kind: 'cut', ms: 1499 } }, 'listening'],
  [{ line: { kind: 'cut', ms: 1500 } }, 'lost'],
  [{ line: { kind: 'cut', ms: 1500 }, microphone: 'lost' }, 'lost'],
  [{ line: { kind: 'cut', ms: 9000 }, ending: 'accepted' }, 'lost'],
  [{ line: { kind: 'cut', ms: 9000 }, ending: 'asked' }, 'end-asked'],
  [{ interviewer: 'awaited', agent: undefined }, 'connecting'],
  [{ interviewer: 'in-line', agent: undefined }, 'in-line'],
  [{ interviewer: 'in-line', agent: undefined, line: { kind: 'joining' } }, 'connecting'],
  [{ interviewer: 'in-line', agent: undefined, ending: 'asked' }, 'end-asked'],
  [{ interviewer: 'gone', agent: 'speaking' }, 'trouble'],
  [{ interviewer: 'gone', agent: 'listening', microphone: 'muted' }, 'trouble'],
  [{ interviewer: 'gone', line: { kind: 'cut', ms: 1500 } }, 'lost'],
  [{ interviewer: 'gone', ending: 'accepted' }, 'ending'],
  [{ ending: 'asked', microphone: 'lost' }, 'end-asked'],
  [{ isHeld: true }, 'more-time'],
  [{ isHeld: true, agent: 'speaking' }, 'speaking'],
  [{ isHeld: true, microphone: 'muted' }, 'muted'],
  [{ isTyping: true, agent: 'speaking', microphone: 'muted' }, 'typing'],
  [{ isTyping: true, microphone: 'lost' }, 'typing'],
  [{ isTyping: true, agent: undefined }, 'connecting'],
  [{ isTyping: true, interviewer: 'in-line', agent: undefined }, 'in-line'],
  [{ isPaused: true, isTyping: true, microphone: 'muted', agent: 'speaking' }, 'paused'],
  [{ isPaused: true, microphone: 'lost' }, 'paused'],
  [{ isPaused: true, interviewer: 'gone' }, 'trouble'],
  [{ isPaused: true, ending: 'asked' }, 'end-asked'],
  [{ isPaused: true, line: { kind: 'cut', ms: 1500 } }, 'lost'],
  [{ line: { kind: 'stopped' }, interviewer: 'gone' }, 'stopped'],
  [{ line: { kind: 'stopped' }, ending: 'asked' }, 'stopped'],
  [{ line: { kind: 'taken' }, ending: 'asked' }, 'second-tab'],
];

/** C02: of all that is so at once, the first row of the table that is true is shown. */
it.each(rows)('%o is %s', (change, expected) => {
  expect(situation({ ...facts, ...change })).toBe(expected);
});

/** T03: how long somebody may think is what the interviewer gives, and nothing else is said of it. */
it.each([
  [120, '2:00'],
  [45, '0:45'],
])('gives %i s as %s', (seconds, time) => {
  const sentence = wordsOf('more-time', 'Alba', true, seconds)[1];
  expect(sentence).toContain(time);
  expect(sentence).not.toContain('30');
});

/** C02: who was greeted before is not told that the greeting comes. */
it('greets once', () => {
  expect(wordsOf('connecting', 'Alba', false)[1]).toContain('greet');
  expect(wordsOf('connecting', 'Alba', true)[1]).not.toContain('greet');
});
