import { type RemoteParticipant, type Room, RoomEvent } from 'livekit-client';
import { useEffect, useReducer } from 'react';
import { CONTROL_TOPIC, decodeAnswer, sendRequest } from './control';
import { type Help, type HelpRequest, helpAfter, NOTHING_ASKED } from './help';
import type { Line } from './situation';

/** After this long without a word of the interviewer a press is called unanswered. */
const ANSWER_WAIT_MS = 4000;
/** So long it is said what came of a press. */
const SHOWN_MS = 8000;

interface HelpProps {
  room: Room;
  line: Line;
  agent: RemoteParticipant | undefined;
  /** `vivavoce.stage`. */
  stage: string | undefined;
}

/** Sends what buttons ask for, and takes what the interviewer answers. */
export function useHelp({ room, line, agent, stage }: HelpProps): [Help, (request: HelpRequest) => void] {
  const [help, dispatch] = useReducer(helpAfter, NOTHING_ASKED);

  useEffect(() => {
    function received(payload: Uint8Array, _from?: unknown, _kind?: unknown, topic?: string) {
      const answer = topic === CONTROL_TOPIC ? decodeAnswer(payload) : undefined;
      if (answer) dispatch({ kind: 'answered', answer });
    }
    room.on(RoomEvent.DataReceived, received);
    return () => {
      room.off(RoomEvent.DataReceived, received);
    };
  }, [room]);

  const { id, state } = help.asked ?? {};
  useEffect(() => {
    if (!id) return;
    const kind = state === 'sent' ? 'waited' : 'faded';
    const timer = window.setTimeout(() => dispatch({ kind, id }), state === 'sent' ? ANSWER_WAIT_MS : SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [id, state]);

  function press(request: HelpRequest) {
    const id = crypto.randomUUID();
    const isThere = agent !== undefined && line.kind === 'joined';
    dispatch({ kind: 'pressed', id, request, isThere });
    // The question of a stage that has begun meanwhile is not for skipping.
    if (isThere) sendRequest(room, agent, id, { request, stage: request === 'skip' ? stage : undefined });
  }
  return [help, press];
}
