import type { InterviewRow } from '../api/contract';
import { isLive, isOver } from './states';

export type Action = 'listen' | 'note' | 'end' | 'link' | 'cancel' | 'again' | 'delete';

/** What cannot be done now, though it belongs there: it is shown greyed, with its reason. */
export function greyedOf({ state, simulated }: InterviewRow, hasModel: boolean): Action[] {
  const isSpeaking = state === 'in_progress' || state === 'paused';
  return isSpeaking && !simulated && !hasModel ? ['note'] : [];
}

/** What can be done about an interview, the most likely first. */
export function actionsOf({ state, opening, expires_at, simulated }: InterviewRow, hasModel: boolean): Action[] {
  // There is nobody to listen to, or to invite.
  if (simulated) return isLive(state) ? ['end'] : ['delete'];
  // One that is open is the only one.
  const again: Action[] = opening ? ['again'] : [];
  // One that was launched elsewhere has no link of ours.
  const link: Action[] = expires_at ? ['link'] : [];
  if (state === 'in_progress' || state === 'paused') {
    // The scripted interviewer asks its own questions only.
    return hasModel ? ['listen', 'note', 'end'] : ['listen', 'end'];
  }
  if (isLive(state)) return ['listen', 'end', ...link];
  if (state === 'invited') return [...link, 'cancel', 'delete'];
  if (isOver(state)) return [...again, 'delete'];
  return [...link, ...again, 'delete'];
}
