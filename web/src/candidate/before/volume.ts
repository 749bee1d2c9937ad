/** How loud a microphone is, from 0 to 1, as livekit-client measures it in the room; the page opens without that. */
export function volumeOf(track: MediaStreamTrack): { read: () => number; close: () => void } {
  const context = new AudioContext();
  const analyser = new AnalyserNode(context, { minDecibels: -100, maxDecibels: -80 });
  context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
  const amplitudes = new Uint8Array(analyser.frequencyBinCount);
  return {
    read: () => {
      analyser.getByteFrequencyData(amplitudes);
      const sum = amplitudes.reduce((sum, amplitude) => sum + (amplitude / 255) ** 2, 0);
      return Math.sqrt(sum / amplitudes.length);
    },
    close: () => void context.close().catch(() => undefined),
  };
}
