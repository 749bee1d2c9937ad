import type { Failure, Transcript } from './client';

/** Whether nothing more comes of asking again about an interview in that state: it has ended, or there is none. */
export function isFinal(failure: Failure | null, state: Transcript['state'] | undefined): boolean {
  if (failure) return isRefused(failure);
  return state === 'completed' || state === 'interrupted';
}

/** Whether there is no such interview, or not any more. */
export function isRefused({ status }: Pick<Failure, 'status'>): boolean {
  return status === 404 || status === 410;
}
