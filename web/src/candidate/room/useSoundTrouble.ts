import type { LocalAudioTrack } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { SOUND_LOOK_EVERY_MS, type SoundTrouble, soundWatch } from './soundTrouble';

/** What is amiss with the sound of an open microphone. `isTheirTurn`: silence counts only then. */
export function useSoundTrouble(
  microphone: LocalAudioTrack | undefined,
  isTheirTurn: boolean,
): SoundTrouble | undefined {
  const [trouble, setTrouble] = useState<SoundTrouble>();
  const turn = useRef(isTheirTurn);
  turn.current = isTheirTurn;
  const track = microphone?.mediaStreamTrack;
  useEffect(() => {
    setTrouble(undefined);
    if (!track) return;
    const context = new AudioContext();
    const analyser = new AnalyserNode(context, { fftSize: 8192 });
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const watch = soundWatch();
    const timer = window.setInterval(() => {
      // Held back until a button was pressed, it hears nothing.
      if (context.state !== 'running') return;
      analyser.getFloatTimeDomainData(samples);
      setTrouble(watch(peakOf(samples), turn.current));
    }, SOUND_LOOK_EVERY_MS);
    return () => {
      window.clearInterval(timer);
      context.close().catch(() => undefined);
    };
  }, [track]);
  return trouble;
}

function peakOf(samples: Float32Array): number {
  return samples.reduce((peak, sample) => Math.max(peak, Math.abs(sample)), 0);
}
