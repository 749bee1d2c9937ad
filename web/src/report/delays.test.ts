import { expect, it } from 'vitest';
import { delaysOf } from './delays';

const we = (from_ms: number, to_ms: number) => ({ speaker: 'interviewer' as const, from_ms, to_ms });
const they = (from_ms: number, to_ms: number) => ({ speaker: 'candidate' as const, from_ms, to_ms });

it('counts from the end of our words to the beginning of theirs', () => {
  const speech = [
    we(0, 1_000),
    they(1_500, 3_000),
    we(4_000, 5_000),
    they(9_000, 9_500),
    we(10_000, 11_000),
    they(12_000, 13_000),
  ];
  expect(delaysOf(speech)).toEqual({ from: 500, half: 1_000, to: 4_000 });
});

/** Who cuts in has not waited, and who goes on after a pause does not answer anew. */
it('counts no cutting in, and no pause within an answer', () => {
  expect(delaysOf([we(0, 2_000), they(1_000, 3_000), they(9_000, 9_500)])).toBeUndefined();
  expect(delaysOf([])).toBeUndefined();
});
