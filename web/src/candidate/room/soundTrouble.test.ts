import { describe, expect, it } from 'vitest';
import { type SoundTrouble, soundWatch } from './soundTrouble';

/** The last of what is told in so many looks. */
function told(...looks: [times: number, peak: number, isTheirTurn: boolean][]): SoundTrouble | undefined {
  const watch = soundWatch();
  let last: SoundTrouble | undefined;
  for (const [times, peak, turn] of looks) for (let n = 0; n < times; n += 1) last = watch(peak, turn);
  return last;
}

/** C02: a microphone that gives nothing at all is told of, and not somebody who thinks in a quiet room. */
describe('silence', () => {
  it('of the microphone is told', () => expect(told([100, 0, true])).toBe('silent'));
  it('for a moment is not', () => expect(told([99, 0, true])).toBeUndefined());
  it('of the room is not', () => expect(told([500, 0.002, true])).toBeUndefined());
  it('while the interviewer speaks does not count', () => expect(told([500, 0, false])).toBeUndefined());
  it('is over with the first sound', () => expect(told([200, 0, true], [1, 0.01, true])).toBeUndefined());
});

/** C02: sound that is cut off by its loudness is told of, not a single knock; it is forgotten when it is over. */
describe('clipping', () => {
  it('again and again is told', () => expect(told([6, 1, true])).toBe('clipped'));
  it('once is not', () => expect(told([5, 1, true], [40, 0.3, true])).toBeUndefined());
  it('is over after a while', () => expect(told([6, 1, true], [50, 0.3, true])).toBeUndefined());
});
