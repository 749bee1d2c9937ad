import type { RemoteAudioTrack } from 'livekit-client';
import { useEffect, useState } from 'react';

/** What was said before a press is taken is still on its way. */
const ON_ITS_WAY_MS = 250;

/** Silences the interviewer's voice while `isHushed`, and for a moment after. */
export function useHush(voice: RemoteAudioTrack | undefined, isHushed: boolean): void {
  const [isSilent, setSilent] = useState(isHushed);
  useEffect(() => {
    if (isHushed) return setSilent(true);
    const timer = window.setTimeout(() => setSilent(false), ON_ITS_WAY_MS);
    return () => window.clearTimeout(timer);
  }, [isHushed]);
  useEffect(() => voice?.setVolume(isSilent || isHushed ? 0 : 1), [voice, isSilent, isHushed]);
}
