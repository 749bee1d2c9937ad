import type { LocalAudioTrack, RemoteParticipant, Room } from 'livekit-client';
import { useEffect, useRef } from 'react';
import { sendRequest } from './control';
import { dbfs, LOOK_EVERY_MS, mutedTalk } from './mutedTalk';

/**
 * Tells the interviewer when somebody talks into the microphone that they have muted (case 38): they are told, and it
 * counts as no silence. That they talk is all that leaves the page.
 */
export function useMutedTalk(room: Room, agent: RemoteParticipant | undefined, muted: LocalAudioTrack | undefined) {
  const to = useRef(agent);
  to.current = agent;
  useEffect(() => {
    if (!muted) return;
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
      if (talks(dbfs(samples)) && to.current) sendRequest(room, to.current, crypto.randomUUID(), 'muted_speech');
    }, LOOK_EVERY_MS);
    return () => {
      window.clearInterval(timer);
      microphone.stop();
      context.close().catch(() => undefined);
    };
  }, [room, muted]);
}
