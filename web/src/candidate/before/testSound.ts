/** A part of `AudioContext` and `HTMLMediaElement` that not every browser has. */
interface HasSink {
  setSinkId?: (id: string) => Promise<void>;
}

/** Whether this browser lets a page choose the speaker. */
export function canChooseSpeaker(): boolean {
  return 'setSinkId' in AudioContext.prototype && 'setSinkId' in HTMLMediaElement.prototype;
}

/** The speakers there are. Browsers name them once a microphone may be used. */
export async function speakers(): Promise<MediaDeviceInfo[]> {
  const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
  return devices.filter(({ kind, deviceId }) => kind === 'audiooutput' && deviceId);
}

/** Two soft tones, half a second: enough to know that a speaker works. Without one named: the system's own. */
export async function playTestSound(speaker?: string): Promise<void> {
  const context: AudioContext & HasSink = new AudioContext();
  if (speaker) await context.setSinkId?.(speaker).catch(() => undefined);
  const begins = context.currentTime;
  const end = begins + 0.6;
  for (const [start, frequency] of [
    [0, 440],
    [0.25, 587],
  ] as const) {
    const tone = new OscillatorNode(context, { frequency });
    const volume = new GainNode(context, { gain: 0 });
    const begin = begins + start;
    volume.gain.linearRampToValueAtTime(0.3, begin + 0.03);
    volume.gain.linearRampToValueAtTime(0, begin + 0.3);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(end);
  }
  window.setTimeout(() => void context.close(), 1000);
}
