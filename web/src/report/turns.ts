import type { components } from '../api/schema';

export type Turn = components['schemas']['TurnView'];

/** The element of a turn. */
export const turnAnchor = (index: number) => `turn-${index}`;

/** A quote can begin a little before the turn that holds it: both times are rounded. */
const EARLY_MS = 300;

/** The turn in which something was said at a time; −1 before the first one. */
export function turnAt(turns: readonly Turn[], ms: number, speaker?: Turn['speaker']): number {
  let found = -1;
  for (const [index, turn] of turns.entries())
    if (turn.at_ms <= ms + EARLY_MS && (!speaker || turn.speaker === speaker)) found = index;
  return found;
}

/** The turn after or before the one at a time. Near the beginning of a turn, before means the one before it. */
export function turnBeside(turns: readonly Turn[], ms: number, by: -1 | 1): number {
  const now = turnAt(turns, ms);
  const begun = turns[now]?.at_ms ?? 0;
  const next = by < 0 && ms - begun > 2000 ? now : now + by;
  return Math.min(turns.length - 1, Math.max(0, next));
}

export interface Part {
  /** Nothing for turns of no known stage. */
  title: string;
  turns: { turn: Turn; index: number }[];
}

/** The turns by their stages, in order; a search leaves those that hold the words. */
export function partsOf(
  turns: readonly Turn[],
  stages: readonly { id: string; title: string }[],
  asked: { stage: string; words: string },
): Part[] {
  const parts: Part[] = [];
  const words = asked.words.trim().toLowerCase();
  let last: string | undefined;
  for (const [index, turn] of turns.entries()) {
    if (asked.stage && turn.stage !== asked.stage) continue;
    if (words && !turn.text.toLowerCase().includes(words)) continue;
    if (turn.stage !== last || parts.length === 0)
      parts.push({ title: stages.find(({ id }) => id === turn.stage)?.title ?? '', turns: [] });
    last = turn.stage;
    parts.at(-1)?.turns.push({ turn, index });
  }
  return parts;
}
