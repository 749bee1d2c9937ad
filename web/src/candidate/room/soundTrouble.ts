/** What is amiss with the sound of a microphone. */
export type SoundTrouble = 'silent' | 'clipped';

/** So often it is looked. */
export const SOUND_LOOK_EVERY_MS = 200;
/** A microphone in the quietest room is louder; one that is switched off at itself, or a browser that filters all, is not. */
const SILENT_PEAK = 0.0005;
/** So many looks without any sound while it is the candidate's turn: 20 s. */
const SILENT_LOOKS = 100;
/** A sample that is as loud as samples can be was louder. */
const CLIPPED_PEAK = 0.985;
/** So many looks of the last ones. A laugh or a knock has fewer. */
const CLIPPED_MIN = 6;
const CLIPPED_LOOKS = 50;

/** Watches a microphone by the highest sample of each look, and whether it is the candidate's turn. */
export function soundWatch(): (peak: number, isTheirTurn: boolean) => SoundTrouble | undefined {
  let silentFor = 0;
  let clipped: boolean[] = [];
  return (peak, isTheirTurn) => {
    if (peak > SILENT_PEAK) silentFor = 0;
    else if (isTheirTurn) silentFor += 1;
    clipped = [...clipped, peak >= CLIPPED_PEAK].slice(-CLIPPED_LOOKS);
    if (clipped.filter(Boolean).length >= CLIPPED_MIN) return 'clipped';
    return silentFor >= SILENT_LOOKS ? 'silent' : undefined;
  };
}
