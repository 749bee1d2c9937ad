import { expect, it } from 'vitest';
import { elapsedOf, timeSentenceOf } from './clock';

/** C02: the time is told in minutes, roughly, and never as what is left. */
it.each([
  [0, 'Just begun, at most 25 min'],
  [29_999, 'Just begun, at most 25 min'],
  [30_000, 'About 1 of 25 min'],
  [11.4 * 60_000, 'About 11 of 25 min'],
  [40 * 60_000, 'About 25 of 25 min'],
])('%f ms are “%s”', (ms, said) => expect(timeSentenceOf(ms, 1500)).toBe(said));

it('a length that is no whole number of minutes is rounded up', () =>
  expect(timeSentenceOf(60_000, 61)).toBe('About 1 of 2 min'));

it.each([
  ['660', 660],
  ['', undefined],
  ['1.5', undefined],
  [undefined, undefined],
])('%s is %s', (attribute, seconds) => expect(elapsedOf(attribute)).toBe(seconds));
