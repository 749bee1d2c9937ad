import { expect, it } from 'vitest';
import { Failure, type Transcript } from './client';
import { isFinal } from './final';

/** U04, C03: a page that shows an interview asks again until it is over, through any fault. */
it.each<[Transcript['state'], boolean]>([
  ['waiting', false],
  ['in_progress', false],
  ['completed', true],
  ['interrupted', true],
])('%s: %s', (state, final) => expect(isFinal(null, state)).toBe(final));

it.each([
  [0, false],
  [429, false],
  [503, false],
  [404, true],
  [410, true],
])('%i: %s', (status, final) =>
  expect(isFinal(new Failure(status, { message: '', fields: [] }), 'completed')).toBe(final),
);
