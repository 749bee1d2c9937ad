import { expect, it } from 'vitest';
import { untilOf } from './until';

/** C04: a link that ends in the morning is not said to work all day. */
it('tells the hour', () => {
  const until = untilOf(new Date(2026, 10, 29, 9, 30).getTime());
  expect(until).toContain('2026');
  expect(until).toMatch(/9.30/);
});
