import { expect, it } from 'vitest';
import { retryDelayMs } from './retry';

/** ui "offline": tries come at 1, 2, 4 … 30 s, never later, and not all at the same moment. */
it('waits longer each time, up to 30 s', () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((n) => retryDelayMs(n, 0) / 1000)).toEqual([1, 2, 4, 8, 16, 30, 30]);
  expect(retryDelayMs(0, 1)).toBe(750);
});
