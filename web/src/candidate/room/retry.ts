const FIRST_MS = 1000;
const MAX_MS = 30_000;

/** How long to wait before try number `n` (from 0): 1, 2, 4 … 30 s, up to a quarter less by chance. */
export function retryDelayMs(n: number, random: number): number {
  return Math.min(MAX_MS, FIRST_MS * 2 ** Math.min(n, 10)) * (1 - random / 4);
}
