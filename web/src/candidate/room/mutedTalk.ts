/** So often it is looked. */
export const LOOK_EVERY_MS = 100;
/** What is told to somebody who is muted: that they talk, or that it has lasted long. */
export type MutedHint = 'talking' | 'long';
/** So long after the last word it is told that they talk. */
export const HINT_MS = 10_000;
/** So long an interview stands still for a muted microphone. */
export const MUTED_LONG_MS = 120_000;
/** A voice at a microphone is louder, what it hears of a room is not. */
const LOUD_DBFS = -42;
/** It takes so many loud looks of the last ones: a cough or a keystroke has fewer. */
const LOUD_MIN = 8;
const LOOKS = 15;
/** Then nothing is told for so many looks. */
const REST = 50;

/** Whether somebody talks, by the level at each look; told now and then while they go on. */
export function mutedTalk(): (dbfs: number) => boolean {
  let loud: boolean[] = [];
  let rest = 0;
  return (dbfs) => {
    loud = [...loud, dbfs >= LOUD_DBFS].slice(-LOOKS);
    rest = Math.max(0, rest - 1);
    if (rest > 0 || loud.filter(Boolean).length < LOUD_MIN) return false;
    rest = REST;
    return true;
  };
}

export function dbfs(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return 10 * Math.log10(power);
}
