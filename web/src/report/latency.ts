import type { Timeline } from '../api/contract';

type Latency = Timeline['latency'][number];

/** One reply: how long each step of it took. */
export interface Hops {
  turn: number;
  /** The end of the turn was decided; nothing where it is not known. */
  decided: number | null;
  /** The first words were there. */
  worded: number | null;
  /** The first sound was heard. */
  heard: number | null;
  total: number;
}

/** The steps of the replies whose first sound is known; each time includes the one before. */
export function hopsOf(latency: readonly Latency[]): Hops[] {
  return latency.flatMap(({ turn, end_of_turn_ms: ended, first_clause_ms: worded, response_ms: total }) => {
    if (total === null) return [];
    const between = (to: number | null, from: number | null) =>
      to === null || from === null ? null : Math.max(0, to - from);
    return { turn, decided: ended, worded: between(worded, ended), heard: between(total, worded ?? ended), total };
  });
}

/** What is left of a bar beside a reply; one that took longer than the bar stands for fills it. */
export function restOf(total: number, full: number): number {
  return Math.max(0, full - total);
}
