/** A row of a list that can be put in order. A dropped one keeps its place, so that it can be taken back. */
export interface Row {
  id: string;
  dropped: boolean;
}

/** The rows that were not dropped: they alone are numbered, checked and sent. */
export function live<T extends Row>(rows: readonly T[]): T[] {
  return rows.filter((row) => !row.dropped);
}

/** The number of a row as people read it, from 1. */
export function numberOf(rows: readonly Row[], id: string): number {
  return live(rows).findIndex((row) => row.id === id) + 1;
}

/** Moves a row past its neighbour that is not dropped; the same rows where there is none. */
export function move<T extends Row>(rows: readonly T[], id: string, by: -1 | 1): readonly T[] {
  const shown = live(rows);
  const at = shown.findIndex((row) => row.id === id);
  const row = shown[at];
  const neighbour = shown[at + by];
  if (!row || !neighbour) return rows;
  const others = rows.filter((other) => other !== row);
  others.splice(others.indexOf(neighbour) + (by > 0 ? 1 : 0), 0, row);
  return others;
}

/** Drops a row, or takes it back. */
export function setDropped<T extends Row>(rows: readonly T[], id: string, dropped: boolean): T[] {
  return rows.map((row) => (row.id === id ? { ...row, dropped } : row));
}

/** Changes a row. */
export function change<T extends Row>(rows: readonly T[], id: string, part: Partial<T>): T[] {
  return rows.map((row) => (row.id === id ? { ...row, ...part } : row));
}

/** An id that no row has. */
export function freshId(rows: readonly Row[]): string {
  let number = rows.length + 1;
  while (rows.some((row) => row.id === `own${number}`)) number += 1;
  return `own${number}`;
}
