/** Two soft tones, half a second: enough to know that the speaker works. */
export function playTestSound(): void {
  const context = new AudioContext();
  const end = context.currentTime + 0.6;
  for (const [start, frequency] of [
    [0, 440],
    [0.25, 587],
  ] as const) {
    const tone = new OscillatorNode(context, { frequency });
    const volume = new GainNode(context, { gain: 0 });
    const begin = context.currentTime + start;
    volume.gain.linearRampToValueAtTime(0.3, begin + 0.03);
    volume.gain.linearRampToValueAtTime(0, begin + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(end);
  }
  window.setTimeout(() => void context.close(), 1000);
}
