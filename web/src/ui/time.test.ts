import { expect, it } from 'vitest';
import { clockOf } from './time';

it('writes a time within an interview as a clock does', () => {
  expect(clockOf(0)).toBe('0:00');
  expect(clockOf(311_999)).toBe('5:11');
  expect(clockOf(3_661_000)).toBe('1:01:01');
  expect(clockOf(-5)).toBe('0:00');
});
