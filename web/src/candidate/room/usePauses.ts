import { type RemoteParticipant, type Room, RoomEvent } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../texts';
import type { Pauses, SetPreferences } from '../preferences';
import { CONTROL_TOPIC, type ControlRequest, decodeAnswer, sendRequest } from './control';

const ANSWER_WAIT_MS = 4000;

/** Whether the interviewer knows how long somebody may pause. */
export type PausesState = 'none' | 'sent' | 'accepted' | 'unanswered';

export interface PausesTold {
  state: PausesState;
  choose: (pauses: Pauses) => void;
}

interface PausesProps {
  room: Room;
  agent: RemoteParticipant | undefined;
  pauses: Pauses;
  /** What the interviewer was told when the page was opened; undefined if that is what they chose. */
  before: Pauses | undefined;
  setPreferences: SetPreferences;
}

/** Tells the interviewer how long somebody may pause, whenever they choose it. */
export function usePauses({ room, agent, pauses, before, setPreferences }: PausesProps): PausesTold {
  const [state, setState] = useState<PausesState>('none');
  const asked = useRef<{ id: string; timer: number }>(undefined);
  const told = useRef(before ?? pauses);

  useEffect(() => {
    function received(payload: Uint8Array, _from?: unknown, _kind?: unknown, topic?: string) {
      const answer = topic === CONTROL_TOPIC ? decodeAnswer(payload) : undefined;
      if (!answer || answer.id !== asked.current?.id) return;
      window.clearTimeout(asked.current.timer);
      setState(answer.answer === 'accepted' ? 'accepted' : 'unanswered');
    }
    room.on(RoomEvent.DataReceived, received);
    return () => {
      room.off(RoomEvent.DataReceived, received);
      window.clearTimeout(asked.current?.timer);
    };
  }, [room]);

  // One who comes back may have chosen otherwise before, and one who chose with nobody there is heard when they are.
  useEffect(() => {
    if (!agent || told.current === pauses) return;
    told.current = pauses;
    window.clearTimeout(asked.current?.timer);
    const id = crypto.randomUUID();
    const timer = window.setTimeout(() => setState('unanswered'), ANSWER_WAIT_MS);
    asked.current = { id, timer };
    setState('sent');
    sendRequest(room, agent, id, requestOf(pauses));
  }, [room, agent, pauses]);

  return { state, choose: (pauses) => setPreferences({ pauses }) };
}

export function requestOf(pauses: Pauses): ControlRequest {
  return { request: `${pauses}_pauses` };
}

/** What came of it. */
export function pausesSentenceOf(state: PausesState): string {
  switch (state) {
    case 'none':
      return '';
    case 'sent':
      return t('accommodation.sent');
    case 'accepted':
      return t('accommodation.accepted');
    case 'unanswered':
      return t('accommodation.unanswered');
  }
}
