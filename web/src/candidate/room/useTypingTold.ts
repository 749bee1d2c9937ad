import type { RemoteParticipant, Room } from 'livekit-client';
import { useRef } from 'react';
import { sendRequest } from './control';
import { isDue } from './typingTold';

/** Tells the interviewer that keys are pressed, now and then: who types is not silent (T02). */
export function useTypingTold(room: Room, agent: RemoteParticipant | undefined): () => void {
  const last = useRef<number>(undefined);
  return () => {
    const now = Date.now();
    if (!agent || !isDue(last.current, now)) return;
    last.current = now;
    sendRequest(room, agent, crypto.randomUUID(), { request: 'typing' });
  };
}
