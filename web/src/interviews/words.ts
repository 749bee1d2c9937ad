import type { InterviewRow } from '../api/client';

/** Where an interview stands, in words. */
export function stateOf({ state, end, expires_at }: InterviewRow, now: number): string {
  switch (state) {
    case 'waiting':
      return expires_at && expires_at <= now ? 'Link expired' : 'Not started';
    case 'in_progress':
      return 'In progress';
    case 'interrupted':
      return 'Interrupted by a fault';
    case 'completed':
      return end ? ENDS[end] : 'Completed';
  }
}

const ENDS: Record<NonNullable<InterviewRow['end']>, string> = {
  completed: 'Completed',
  candidate_ended: 'Ended by the candidate',
  candidate_left: 'The candidate left',
  candidate_silent: 'The candidate was silent for too long',
  no_show: 'The candidate did not come',
  out_of_time: 'Out of time',
  max_turns: 'Completed, with as many answers as there may be',
  abuse: 'Ended, the candidate was insulting',
  technical: 'Stopped by a fault',
  operator: 'Ended by the operator',
};

/** Who is interviewed; a foreign frontend may tell no name. Interviews of before kept "there" for one. */
export function nameOf({ name, expires_at }: InterviewRow): string {
  const isName = name && (expires_at || name !== 'there');
  return isName ? name : 'Somebody from another frontend';
}

/** When it began, or was made. */
export function whenOf({ started_at, made_at }: InterviewRow): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(started_at ?? made_at);
}
