import { expect, it } from 'vitest';
import { type Facts, type Situation, situation } from './situation';

const facts: Facts = { line: { kind: 'joined' }, ending: 'no', microphone: 'on', agent: 'listening' };
const rows: [Partial<Facts>, Situation][] = [
  [{}, 'listening'],
  [{ agent: 'thinking' }, 'thinking'],
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
  [{ ending: 'asked', microphone: 'lost' }, 'end-asked'],
  [{ line: { kind: 'taken' }, ending: 'asked' }, 'second-tab'],
];

/** C02: of all that is so at once, the first row of the table that is true is shown. */
it.each(rows)('%o is %s', (change, expected) => {
  expect(situation({ ...facts, ...change })).toBe(expected);
});
