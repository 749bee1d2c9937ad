import { expect, it } from 'vitest';
import { progressOf } from './stages';

/** R02, R08: progress is a part of one, however it is written; anything else says nothing. */
it.each([
  ['2/4', 0.5],
  ['0/4', 0],
  ['7/4', 1],
  ['0.25', 0.25],
  ['1/0', undefined],
  ['', undefined],
  ['half', undefined],
  ['-1', undefined],
  [undefined, undefined],
])('%o is %o', (attribute, part) => {
  expect(progressOf(attribute)).toBe(part);
});
