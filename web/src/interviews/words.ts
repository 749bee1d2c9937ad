import type { InterviewRow } from '../api/client';
import { t } from '../texts';

/** Where an interview stands, in words. */
export function stateOf({ state, end, expires_at }: InterviewRow, now: number): string {
  switch (state) {
    case 'waiting':
      return expires_at && expires_at <= now ? t('state.expired') : t('state.waiting');
    case 'in_progress':
      return t('state.inProgress');
    case 'interrupted':
      return t('state.interrupted');
    case 'completed':
      return end ? ENDS[end] : t('state.completed');
  }
}

const ENDS: Record<NonNullable<InterviewRow['end']>, string> = {
  completed: t('state.completed'),
  candidate_ended: t('state.candidateEnded'),
  candidate_left: t('state.candidateLeft'),
  candidate_silent: t('state.candidateSilent'),
  no_show: t('state.noShow'),
  out_of_time: t('state.outOfTime'),
  max_turns: t('state.maxTurns'),
  abuse: t('state.abuse'),
  technical: t('state.technical'),
  operator: t('state.operator'),
};

/** Who is interviewed; a foreign frontend may tell no name. Interviews of before kept "there" for one. */
export function nameOf({ name, expires_at }: InterviewRow): string {
  const isName = name && (expires_at || name !== 'there');
  return isName ? name : t('interviews.foreign');
}

/** When it began, or was made. */
export function whenOf({ started_at, made_at }: InterviewRow): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(started_at ?? made_at);
}
