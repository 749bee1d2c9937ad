import { expect, it } from 'vitest';
import { shownOf } from './noted';

const fact = (what: 'left' | 'returned' | 'pasted', at: number, characters?: number) => ({ what, at, characters });

/** Somebody who looks away for a moment reads one line, with how long it was. */
it('puts leaving and coming back together', () => {
  const facts = [fact('returned', 19_000), fact('left', 7_000), fact('pasted', 30_000, 812)];
  expect(shownOf(facts)).toEqual([
    { what: 'away', at: 7_000, ms: 12_000 },
    { what: 'pasted', at: 30_000, characters: 812 },
  ]);
});

/** A message may get lost on the way: then it is not made up. */
it('keeps what has no counterpart', () => {
  expect(shownOf([fact('returned', 1), fact('left', 2), fact('left', 3)])).toEqual([
    { what: 'returned', at: 1 },
    { what: 'left', at: 2 },
    { what: 'left', at: 3 },
  ]);
  expect(shownOf([])).toEqual([]);
});

it('closes the last leaving, and no other', () => {
  const facts = [fact('left', 1), fact('left', 5), fact('returned', 9), fact('left', 20), fact('returned', 21)];
  expect(shownOf(facts)).toEqual([
    { what: 'left', at: 1 },
    { what: 'away', at: 5, ms: 4 },
    { what: 'away', at: 20, ms: 1 },
  ]);
});
