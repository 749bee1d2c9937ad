import type { LocalAudioTrack, RemoteParticipant, Room } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { sendRequest } from './control';
import { dbfs, HINT_MS, LOOK_EVERY_MS, MUTED_LONG_MS, type MutedHint, mutedTalk } from './mutedTalk';

/**
 * What somebody is told who has muted their microphone (case 38): that they talk and nobody hears it, and after two
 * minutes that the time runs again. The interviewer gets to know that they talk, so that it counts as no silence; that
 * is all that leaves the page.
 */
export function useMutedTalk(
  room: Room,
  agent: RemoteParticipant | undefined,
  muted: LocalAudioTrack | undefined,
): MutedHint | undefined {
  const to = useRef(agent);
  to.current = agent;
  const [isTalking, setIsTalking] = useState(false);
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!muted) return;
    const long = window.setTimeout(() => setIsLong(true), MUTED_LONG_MS);
    let over = 0;
    // What is muted gives silence, its copy does not.
    const microphone = muted.mediaStreamTrack.clone();
    microphone.enabled = true;
    const context = new AudioContext();
    const analyser = new AnalyserNode(context);
    context.createMediaStreamSource(new MediaStream([microphone])).connect(analyser);
    const samples = new Float32Array(analyser.fftSize);
    const talks = mutedTalk();
    const timer = window.setInterval(() => {
      analyser.getFloatTimeDomainData(samples);
      if (!talks(dbfs(samples))) return;
      setIsTalking(true);
      window.clearTimeout(over);
      over = window.setTimeout(() => setIsTalking(false), HINT_MS);
      if (to.current) sendRequest(room, to.current, crypto.randomUUID(), { request: 'muted_speech' });
    }, LOOK_EVERY_MS);
    return () => {
      window.clearInterval(timer);
      window.clearTimeout(long);
      window.clearTimeout(over);
      setIsTalking(false);
      setIsLong(false);
      microphone.stop();
      context.close().catch(() => undefined);
    };
  }, [room, muted]);
  return isTalking ? 'talking' : isLong ? 'long' : undefined;
}
