import { expect, it } from 'vitest';
import { factOf, pasteOf } from './noted';

it('tells when the page is left and when somebody comes back, once each', () => {
  expect(factOf(false, true)).toEqual({ what: 'left' });
  expect(factOf(true, false)).toEqual({ what: 'returned' });
  expect(factOf(true, true)).toBeUndefined();
  expect(factOf(false, false)).toBeUndefined();
});

/** Its length, and never its words. */
it('tells how much was pasted', () => {
  expect(pasteOf('Grüße 👋')).toEqual({ what: 'pasted', characters: 7 });
  expect(pasteOf('')).toBeUndefined();
});
