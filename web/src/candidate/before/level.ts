export type LevelWord = 'silent' | 'quiet' | 'good' | 'loud';

/** From an analyser's volume (0..1) to the meter's 0..100; speech at a normal distance lands between 35 and 85. */
export function loudness(volume: number): number {
  return Math.round(Math.min(1, Math.max(0, volume) * 1.4) * 100);
}

/** The word for the loudest moment of the last seconds: the meter's band in words. */
export function levelWord(peak: number): LevelWord {
  if (peak < 4) return 'silent';
  if (peak < 35) return 'quiet';
  return peak <= 85 ? 'good' : 'loud';
}
