import { type RemoteParticipant, type Room, RoomEvent } from 'livekit-client';
import { useEffect, useReducer, useRef } from 'react';
import type { FormField } from '../../api/client';
import { t } from '../../texts';
import {
  type ContactForm,
  contactFormAfter,
  errorsOf,
  fieldsShown,
  filledIn,
  idFor,
  NOTHING_FILLED,
  type Values,
} from './contactForm';
import { CONTROL_TOPIC, decodeAnswer, sendRequest } from './control';
import type { Line } from './situation';
import { useTypingTold } from './useTypingTold';

const ANSWER_WAIT_MS = 2000;
const SENDS_MAX = 3;

interface ContactFormProps {
  room: Room;
  line: Line;
  agent: RemoteParticipant | undefined;
  /** All fields of the interview's form. */
  fields: readonly FormField[];
  /** `vivavoce.phase`. */
  phase: string | undefined;
  /** Says something as if it was typed. */
  say: (text: string) => void;
}

/** The form and what can be done with it. */
export interface Filling {
  form: ContactForm;
  /** Those that are shown now; none where no form is. */
  fields: readonly FormField[];
  edit: (key: string, value: string) => void;
  leave: (field: FormField) => void;
  /** Returns the first field to mend, if there is one. */
  send: () => FormField | undefined;
  decline: () => void;
}

/** Sends contact data to the interviewer and takes what they answer. */
export function useContactForm(props: ContactFormProps): Filling {
  const { room, line, phase, say } = props;
  const [form, dispatch] = useReducer(contactFormAfter, NOTHING_FILLED);
  const fields = fieldsShown(form, props.fields, phase);
  // A new connection may bring another one: whoever is there when it is sent again.
  const agent = useRef(props.agent);
  agent.current = props.agent;
  const timer = useRef<number>(undefined);
  const tellTyping = useTypingTold(room, props.agent);

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

  // Answered, nothing is sent again.
  const waitsFor = form.request?.waits ? form.request.id : undefined;
  useEffect(() => {
    if (waitsFor) return () => window.clearTimeout(timer.current);
  }, [waitsFor]);

  function sendNow(id: string, values: Values, sends: number) {
    if (sends >= SENDS_MAX) return dispatch({ kind: 'unanswered', id });
    if (agent.current) sendRequest(room, agent.current, id, { request: 'fill', values });
    timer.current = window.setTimeout(() => sendNow(id, values, sends + 1), ANSWER_WAIT_MS);
  }

  /** Why nothing can be sent now. */
  function hindrance() {
    if (line.kind === 'cut') return { kind: 'cut' } as const;
    return agent.current && line.kind === 'joined' ? undefined : ({ kind: 'absent' } as const);
  }

  function send() {
    if (waitsFor) return;
    const values = filledIn(form, fields);
    const errors = errorsOf(fields, values);
    const mended = fields.find(({ key }) => errors[key] !== undefined);
    const isEmpty = Object.keys(values).length === 0;
    const problem = mended ? undefined : isEmpty ? ({ kind: 'empty' } as const) : hindrance();
    if (mended || problem) {
      dispatch({ kind: 'held', errors, problem });
      return mended;
    }
    const id = idFor(form, values, crypto.randomUUID());
    dispatch({ kind: 'sent', id, values });
    sendNow(id, values, 0);
  }

  function decline() {
    const problem = hindrance();
    if (problem) return dispatch({ kind: 'held', errors: {}, problem });
    say(t('form.noThanks'));
    dispatch({ kind: 'declined' });
  }

  return {
    form,
    fields,
    edit: (key, value) => {
      tellTyping();
      dispatch({ kind: 'edited', key, value });
    },
    leave: (field) => dispatch({ kind: 'left', field }),
    send,
    decline,
  };
}
