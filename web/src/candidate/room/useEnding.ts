import type { RemoteParticipant, Room } from 'livekit-client';
import { RoomEvent } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../texts';
import { CONTROL_TOPIC, decodeAnswer, sendRequest } from './control';
import type { Ending } from './situation';

const ANSWER_WAIT_MS = 2000;
const SENDS_MAX = 3;

/** Ends the interview by asking the interviewer, who says goodbye and leaves. */
export function useEnding(room: Room, agent: RemoteParticipant | undefined, onOver: () => void) {
  const [ending, setEnding] = useState<Ending>('no');
  const [trouble, setTrouble] = useState<string>();
  const request = useRef<{ id: string; sends: number; timer: number | undefined }>(undefined);

  useEffect(() => {
    function received(payload: Uint8Array, _from?: unknown, _kind?: unknown, topic?: string) {
      const answer = topic === CONTROL_TOPIC ? decodeAnswer(payload) : undefined;
      if (!answer || answer.id !== request.current?.id) return;
      window.clearTimeout(request.current.timer);
      request.current = undefined;
      setEnding(answer.answer === 'accepted' ? 'accepted' : 'no');
      if (answer.answer === 'refused') setTrouble(t('room.goesOn', { why: answer.reason || t('room.cannotEnd') }));
    }
    room.on(RoomEvent.DataReceived, received);
    return () => {
      room.off(RoomEvent.DataReceived, received);
      window.clearTimeout(request.current?.timer);
    };
  }, [room]);

  function send(to: RemoteParticipant) {
    const current = request.current;
    if (!current) return;
    current.sends += 1;
    if (current.sends > SENDS_MAX) {
      request.current = undefined;
      setEnding('no');
      setTrouble(t('room.noAnswer'));
      return;
    }
    sendRequest(room, to, current.id, { request: 'end' });
    current.timer = window.setTimeout(() => send(to), ANSWER_WAIT_MS);
  }

  return {
    ending,
    trouble,
    ask: () => {
      setTrouble(undefined);
      if (ending === 'no') setEnding('asked');
    },
    carryOn: () => setEnding('no'),
    end: () => {
      // With nobody there to say goodbye, leaving is all there is.
      if (!agent) return onOver();
      request.current = { id: crypto.randomUUID(), sends: 0, timer: undefined };
      setEnding('sent');
      send(agent);
    },
  };
}
