import type { NotedFacts } from '../api/contract';

/** A fact as it is shown: who left the page is back after a while, or not. */
export type Shown =
  | { what: 'left' | 'returned'; at: number }
  | { what: 'away'; at: number; ms: number }
  | { what: 'pasted'; at: number; characters: number };

/** The facts in the order of their times, in which leaving and coming back is one. */
export function shownOf(facts: NotedFacts['facts']): Shown[] {
  const shown: Shown[] = [];
  for (const { what, at, characters } of [...facts].sort((one, other) => one.at - other.at)) {
    const open = shown.findLastIndex((fact) => fact.what === 'left');
    const left = shown[open];
    if (what === 'pasted') shown.push({ what, at, characters: characters ?? 0 });
    else if (what === 'returned' && left) shown[open] = { what: 'away', at: left.at, ms: at - left.at };
    else shown.push({ what, at });
  }
  return shown;
}
