import { createAudioAnalyser, type LocalAudioTrack, type RemoteAudioTrack } from 'livekit-client';
import { useEffect, useState } from 'react';
import type { Situation } from './situation';

const BARS = 41;
const PER_SECOND = 15;
const PER_SECOND_CALM = 2;
const STILL: readonly number[] = Array(BARS).fill(0);

type Shape = 'listening' | 'thinking' | 'speaking' | 'quiet' | 'still';

const SHAPES: Record<Situation, Shape> = {
  'second-tab': 'still',
  'end-asked': 'listening',
  stopped: 'still',
  lost: 'still',
  trouble: 'still',
  ending: 'speaking',
  'no-microphone': 'still',
  paused: 'still',
  connecting: 'thinking',
  'in-line': 'still',
  typing: 'still',
  muted: 'quiet',
  speaking: 'speaking',
  thinking: 'thinking',
  'more-time': 'quiet',
  listening: 'listening',
};

interface VoiceLineProps {
  situation: Situation;
  interviewer: RemoteAudioTrack | undefined;
  candidate: LocalAudioTrack | undefined;
}

/** Bars that rise with whoever speaks. A picture only: the word below it says the same. */
export function VoiceLine({ situation, interviewer, candidate }: VoiceLineProps) {
  const shape = SHAPES[situation];
  const track = shape === 'speaking' ? interviewer : shape === 'listening' ? candidate : undefined;
  const levels = useLevels(track);
  return (
    <div className="line" data-state={shape} aria-hidden="true">
      {levels.map((level, n) => (
        <i key={n} style={{ '--n': n, '--h': level }} />
      ))}
    </div>
  );
}

/** The last levels of a track, the newest in the middle. */
function useLevels(track: LocalAudioTrack | RemoteAudioTrack | undefined): readonly number[] {
  const [levels, setLevels] = useState(STILL);
  useEffect(() => {
    if (!track) return setLevels(STILL);
    const { calculateVolume, cleanup } = createAudioAnalyser(track, { smoothingTimeConstant: 0.4 });
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const recent: number[] = [];
    const timer = window.setInterval(
      () => {
        recent.unshift(Math.min(1, calculateVolume() * 1.6));
        recent.length = Math.min(recent.length, (BARS + 1) / 2);
        setLevels(STILL.map((_, n) => recent[Math.abs(n - (BARS - 1) / 2)] ?? 0));
      },
      1000 / (calm ? PER_SECOND_CALM : PER_SECOND),
    );
    return () => {
      window.clearInterval(timer);
      cleanup().catch(() => undefined);
    };
  }, [track]);
  return levels;
}
