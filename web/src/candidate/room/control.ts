import type { RemoteParticipant, Room } from 'livekit-client';
import { t } from '../../texts';
import { ofServer } from '../../texts/server';

/** Requests and answers on `vivavoce.control`: UTF-8 JSON, reliable (R04). */
export const CONTROL_TOPIC = 'vivavoce.control';

export interface ControlAnswer {
  id: string;
  answer: 'accepted' | 'refused';
  reason: string;
}

export type ControlRequest =
  /** `stage`: where it was pressed, as `vivavoce.stage`; in another one it is refused. */
  | { request: 'end' | 'repeat' | 'rephrase' | 'more_time' | 'skip' | 'pause' | 'resume'; stage?: string | undefined }
  /** How long they may pause from now on. */
  | { request: 'usual_pauses' | 'longer_pauses' | 'much_longer_pauses' }
  | { request: 'muted_speech' }
  /** Keys are pressed: nobody is nudged for a while. */
  | { request: 'typing' }
  /** A form was filled in: its values by the keys of its fields. */
  | { request: 'fill'; values: Readonly<Record<string, string>> };

/** Why it is not done, in words; undefined for a name that this page does not know. */
export function reasonOf(why: unknown): string | undefined {
  return typeof why === 'string' && why in REASONS ? REASONS[why as keyof typeof REASONS] : undefined;
}

const REASONS = {
  not_begun: t('refusal.notBegun'),
  over: t('refusal.over'),
  moves_on: t('refusal.movesOn'),
  other_stage: t('refusal.otherStage'),
  no_question: t('refusal.noQuestion'),
  stands_still: t('refusal.standsStill'),
  once_only: t('refusal.onceOnly'),
  done_already: t('refusal.doneAlready'),
  not_paused: t('refusal.notPaused'),
  no_form: t('refusal.noForm'),
  not_now: t('refusal.notNow'),
  too_long: t('refusal.tooLong'),
};

/** Typed answers, as text streams (R04). */
const CHAT_TOPIC = 'lk.chat';

/** A request as it is sent; the same id again is the same request. */
export function encodeRequest(id: string, request: ControlRequest): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify({ id, ...request })) as Uint8Array<ArrayBuffer>;
}

/** Sends it to the interviewer alone. One that does not leave is answered by nobody. */
export function sendRequest(room: Room, to: RemoteParticipant, id: string, request: ControlRequest) {
  const options = { reliable: true, topic: CONTROL_TOPIC, destinationIdentities: [to.identity] };
  room.localParticipant.publishData(encodeRequest(id, request), options).catch(() => undefined);
}

/** Sends a typed answer to the interviewer alone. Returns the id of its stream, by which it is answered. */
export async function sendAnswer(room: Room, to: RemoteParticipant, text: string): Promise<string> {
  const options = { topic: CHAT_TOPIC, destinationIdentities: [to.identity] };
  const { id } = await room.localParticipant.sendText(text, options);
  return id;
}

/** An answer, or undefined for anything else: the topic is open to the whole room. */
export function decodeAnswer(payload: Uint8Array): ControlAnswer | undefined {
  try {
    const message: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    if (typeof message !== 'object' || message === null) return undefined;
    const { id, answer, why, reason } = message as Record<string, unknown>;
    if (typeof id !== 'string' || (answer !== 'accepted' && answer !== 'refused')) return undefined;
    return { id, answer, reason: reasonOf(why) ?? (typeof reason === 'string' ? ofServer(reason) : '') };
  } catch {
    return undefined;
  }
}
