import { describe, expect, it } from 'vitest';
import { freshId, live, move, numberOf, type Row, setDropped } from './order';

/** Ids in order; a dropped one in capitals. */
const rows = (ids: string): Row[] => [...ids].map((id) => ({ id: id.toLowerCase(), dropped: id !== id.toLowerCase() }));
const ids = (list: readonly Row[]) => list.map(({ id, dropped }) => (dropped ? id.toUpperCase() : id)).join('');

/** U02: a plan is put in order, and what was dropped comes back where it was. */
describe('the order of a plan', () => {
  it.each<[string, string, -1 | 1, string]>([
    ['abc', 'b', -1, 'bac'],
    ['abc', 'b', 1, 'acb'],
    ['abc', 'a', -1, 'abc'],
    ['abc', 'c', 1, 'abc'],
    ['abc', 'x', -1, 'abc'],
    ['aBc', 'c', -1, 'caB'],
    ['aBc', 'a', 1, 'Bca'],
    ['aBC', 'a', 1, 'aBC'],
    ['aBc', 'b', -1, 'aBc'],
  ])('%s: %s by %i is %s', (before, id, by, after) => {
    expect(ids(move(rows(before), id, by))).toBe(after);
  });

  it('drops and takes back in place', () => {
    const dropped = setDropped(rows('abc'), 'b', true);
    expect(ids(dropped)).toBe('aBc');
    expect(ids(live(dropped))).toBe('ac');
    expect(numberOf(dropped, 'c')).toBe(2);
    expect(ids(setDropped(dropped, 'b', false))).toBe('abc');
  });

  it('gives each added row an id of its own, also when others were dropped', () => {
    const list: Row[] = [{ id: 'own3', dropped: true }, ...rows('a')];
    for (let n = 0; n < 3; n += 1) list.push({ id: freshId(list), dropped: false });
    expect(new Set(list.map((row) => row.id)).size).toBe(list.length);
  });
});
