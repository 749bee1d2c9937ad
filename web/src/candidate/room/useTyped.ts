import { type RemoteParticipant, type Room, RoomEvent } from 'livekit-client';
import { useEffect, useReducer, useRef } from 'react';
import { CONTROL_TOPIC, decodeAnswer, sendAnswer } from './control';
import type { Line } from './situation';
import { ANSWER_WAIT_MS, NOTHING_TYPED, problemOf, type Typed, typedAfter } from './typed';
import { useTypingTold } from './useTypingTold';

interface TypedProps {
  room: Room;
  line: Line;
  rejoins: number;
  agent: RemoteParticipant | undefined;
  /** How many caption streams there are. */
  streams: number;
  /** Whether the field is open from the start. */
  startsOpen: boolean;
}

/** The field for typing and what can be done with it. */
export interface Typing {
  typed: Typed;
  open: () => void;
  close: () => void;
  edit: (draft: string) => void;
  send: () => void;
  /** Says something as if it was typed; what is in the field stays. Only while the interviewer is there. */
  say: (text: string) => void;
}

/** Sends typed answers to the interviewer and takes what they answer. */
export function useTyped({ room, line, rejoins, agent, streams, startsOpen }: TypedProps): Typing {
  const [typed, dispatch] = useReducer(typedAfter, { ...NOTHING_TYPED, isOpen: startsOpen });
  const waits = useRef<number[]>([]);
  const tellTyping = useTypingTold(room, agent);

  useEffect(() => {
    function received(payload: Uint8Array, _from?: unknown, _kind?: unknown, topic?: string) {
      const answer = topic === CONTROL_TOPIC ? decodeAnswer(payload) : undefined;
      if (answer) dispatch({ kind: 'answered', answer });
    }
    room.on(RoomEvent.DataReceived, received);
    return () => {
      room.off(RoomEvent.DataReceived, received);
      waits.current.forEach(window.clearTimeout);
    };
  }, [room]);

  function send() {
    const isThere = agent && line.kind === 'joined';
    const problem = problemOf(typed.draft, isThere ? 'there' : line.kind === 'cut' ? 'cut' : 'absent');
    if (problem || !agent) return dispatch({ kind: 'held', problem: problem ?? { kind: 'absent' } });
    const key = crypto.randomUUID();
    dispatch({ kind: 'sent', key, place: streams, rejoins });
    leave(agent, key, typed.draft.trim());
  }

  function say(text: string) {
    if (!agent) return;
    const key = crypto.randomUUID();
    dispatch({ kind: 'said', key, text, place: streams, rejoins });
    leave(agent, key, text);
  }

  function leave(to: RemoteParticipant, key: string, text: string) {
    // Nothing is answered before all of it has left, when its id is known.
    sendAnswer(room, to, text).then(
      (id) => dispatch({ kind: 'left', key, id }),
      () => dispatch({ kind: 'failed', key }),
    );
    waits.current.push(window.setTimeout(() => dispatch({ kind: 'waited', key }), ANSWER_WAIT_MS));
  }

  return {
    typed,
    open: () => dispatch({ kind: 'opened' }),
    close: () => dispatch({ kind: 'closed' }),
    edit: (draft) => {
      tellTyping();
      dispatch({ kind: 'edited', draft });
    },
    send,
    say,
  };
}
