import type { InterviewPage, InterviewRow, ListQuery, State } from '../api/contract';

/** A part of the list as it is shown: rows change in place, and new ones wait. */
export interface Shown {
  page: InterviewPage;
  /** Ids that belong into the list and wait until somebody asks for them. */
  fresh: readonly string[];
  /** When it was so. */
  at: number;
}

/** Puts a changed row into the list, where it is shown; otherwise it waits if it belongs there. */
export function patched(shown: Shown, row: InterviewRow, asked: ListQuery): Shown {
  const { page, fresh, at } = shown;
  const before = page.rows.find(({ id }) => id === row.id);
  if (before) {
    const rows = page.rows.map((old) => (old.id === row.id ? row : old));
    return { ...shown, page: { ...page, rows, counts: moved(page.counts, before.state, row.state) } };
  }
  if (fresh.includes(row.id)) return shown;
  const isNew = row.made_at > at;
  if (isNew && isOf(row, asked)) {
    const counts = { ...page.counts, [row.state]: (page.counts[row.state] ?? 0) + 1 };
    return { ...shown, fresh: [...fresh, row.id], page: { ...page, counts } };
  }
  // It stands on another part of the list, unless it has just come into the state that is asked for.
  const hasCome = asked.state !== undefined && row.state === asked.state && isOf(row, asked);
  return hasCome ? { ...shown, fresh: [...fresh, row.id] } : shown;
}

/** The list after changes may have been missed: rows stay where they are, those that are new wait. */
export function caughtUp(shown: Shown, page: InterviewPage, at: number): Shown {
  const anew = new Map(page.rows.map((row) => [row.id, row]));
  const known = new Set(shown.page.rows.map(({ id }) => id));
  const rows = shown.page.rows.map((row) => anew.get(row.id) ?? row);
  const fresh = page.rows.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  return { page: { ...page, rows }, fresh, at };
}

/** Whether a row fits what is asked for, as far as a page can tell. */
function isOf(row: InterviewRow, { state, opening, search }: ListQuery): boolean {
  if (state && row.state !== state) return false;
  if (opening && row.opening !== opening) return false;
  const words = (search ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const text = [row.name, row.email, row.role, row.title, row.opening_title].join(' ').toLowerCase();
  return words.every((word) => text.includes(word));
}

function moved(counts: InterviewPage['counts'], from: State, to: State): InterviewPage['counts'] {
  if (from === to) return counts;
  return { ...counts, [from]: Math.max(0, (counts[from] ?? 0) - 1), [to]: (counts[to] ?? 0) + 1 };
}

/** How long to wait before the next try, in milliseconds: 1, 2, 4 … 30 s, each up to a quarter more or less. */
export function waitOf(tries: number, random: number): number {
  const seconds = Math.min(30, 2 ** Math.min(tries, 10));
  return Math.round(seconds * 1000 * (0.75 + random / 2));
}

const SAID_AGAIN_MS = 30_000;

/** What a screen reader is told of a change: a new stage, at most once in 30 s; nothing otherwise. */
export function worthSaying(
  before: InterviewRow | undefined,
  row: InterviewRow,
  saidAt: number,
  now: number,
): 'stage' | undefined {
  if (now - saidAt < SAID_AGAIN_MS || !before) return undefined;
  return row.stage && row.stage !== before.stage ? 'stage' : undefined;
}
