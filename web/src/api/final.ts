import type { Answer, Transcript } from './client';

/** Whether nothing more comes of asking again about an interview in that state: it has ended, or there is none. */
export function isFinal(answer: Answer<unknown>, state: Transcript['state'] | undefined): boolean {
  if (!answer.ok) return answer.status === 404 || answer.status === 410;
  return state === 'completed' || state === 'interrupted';
}
