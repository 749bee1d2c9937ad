import { expect, it } from 'vitest';
import { levelWord, loudness } from './level';

/** C01: the word beside the meter is the band that is drawn: quiet below 35, loud above 85. */
it.each([
  [0, 'silent'],
  [0.1, 'quiet'],
  [0.24, 'quiet'],
  [0.25, 'good'],
  [0.6, 'good'],
  [0.9, 'loud'],
  [7, 'loud'],
  [-1, 'silent'],
])('a volume of %f is %s', (volume, word) => {
  expect(levelWord(loudness(volume))).toBe(word);
});
