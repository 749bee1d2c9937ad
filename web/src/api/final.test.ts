import { expect, it } from 'vitest';
import type { Transcript } from './client';
import { isFinal } from './final';

/** U04, C03: a page that shows an interview asks again until it is over, through any fault. */
it.each<[Transcript['state'], boolean]>([
  ['waiting', false],
  ['in_progress', false],
  ['completed', true],
  ['interrupted', true],
])('%s: %s', (state, final) => expect(isFinal({ ok: true, data: state }, state)).toBe(final));

it.each([
  [0, false],
  [429, false],
  [503, false],
  [404, true],
  [410, true],
])('%i: %s', (status, final) =>
  expect(isFinal({ ok: false, status, problem: { message: '', fields: [] } }, undefined)).toBe(final),
);
