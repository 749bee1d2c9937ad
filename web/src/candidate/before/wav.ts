/** What the recogniser hears. */
export const RATE = 16_000;
const HEADER_BYTES = 44;

/** A WAV file of one channel, 16 bits a sample. */
export function wavOf(samples: Float32Array, rate = RATE): ArrayBuffer {
  const bytes = new ArrayBuffer(HEADER_BYTES + samples.length * 2);
  const view = new DataView(bytes);
  const text = (at: number, word: string) => {
    for (let n = 0; n < word.length; n++) view.setUint8(at + n, word.charCodeAt(n));
  };
  text(0, 'RIFF');
  view.setUint32(4, HEADER_BYTES - 8 + samples.length * 2, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples.length * 2, true);
  samples.forEach((sample, n) => {
    const level = Math.max(-1, Math.min(1, sample));
    view.setInt16(HEADER_BYTES + n * 2, Math.round(level * 32_767), true);
  });
  return bytes;
}

/** A recording of the browser's, in whatever form, as a WAV file of so many seconds at most. */
export async function wavFrom(recording: Blob, secondsMax: number): Promise<Blob> {
  const context = new AudioContext();
  try {
    const sound = await context.decodeAudioData(await recording.arrayBuffer());
    const length = Math.max(1, Math.floor(Math.min(sound.duration, secondsMax) * RATE));
    const offline = new OfflineAudioContext(1, length, RATE);
    const source = new AudioBufferSourceNode(offline, { buffer: sound });
    source.connect(offline.destination);
    source.start();
    const mono = await offline.startRendering();
    return new Blob([wavOf(mono.getChannelData(0))], { type: 'audio/wav' });
  } finally {
    context.close().catch(() => undefined);
  }
}
