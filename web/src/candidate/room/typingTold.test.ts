import { expect, it } from 'vitest';
import { isDue } from './typingTold';

/** T02: the first key is told at once, the others now and then. */
it.each([
  [undefined, 0, true],
  [1000, 1001, false],
  [1000, 8999, false],
  [1000, 9000, true],
])('told at %s, now %s: %s', (last, now, due) => expect(isDue(last, now)).toBe(due));
