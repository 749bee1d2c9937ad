import type { InterviewRow, State, Verdict } from '../api/contract';
import { t } from '../texts';

/** All states, in the order of an interview's life. */
export const STATES: readonly State[] = [
  'invited',
  'waiting',
  'in_progress',
  'paused',
  'completed',
  'abandoned',
  'failed',
  'interrupted',
  'expired',
  'cancelled',
];

export const STATE_WORDS: Record<State, string> = {
  invited: t('states.invited'),
  waiting: t('states.waiting'),
  in_progress: t('states.inProgress'),
  paused: t('states.paused'),
  completed: t('states.completed'),
  abandoned: t('states.abandoned'),
  expired: t('states.expired'),
  cancelled: t('states.cancelled'),
  failed: t('states.failed'),
  interrupted: t('states.interrupted'),
};

/** The shape beside the word. */
export const STATE_SHAPES: Record<State, string> = {
  invited: 'status',
  waiting: 'status',
  in_progress: 'status live',
  paused: 'status pause',
  completed: 'status ok',
  abandoned: 'status warn',
  expired: 'status warn',
  cancelled: 'status',
  failed: 'status bad',
  interrupted: 'status bad',
};

export const VERDICTS: Record<Verdict, string> = {
  advance: t('verdict.advance'),
  hold: t('verdict.hold'),
  reject: t('verdict.reject'),
};

/** Whether somebody is there, or about to be. */
export function isLive(state: State): boolean {
  return state === 'waiting' || state === 'in_progress' || state === 'paused';
}

/** Whether nothing more comes of it. */
export function isOver(state: State): boolean {
  return state === 'completed' || state === 'abandoned' || state === 'failed' || state === 'interrupted';
}

/** Whether a person still has to decide about it. */
export function isToDecide(row: Pick<InterviewRow, 'state' | 'decision' | 'simulated'>): boolean {
  return row.state === 'completed' && !row.decision && !row.simulated;
}

const ENDS: Record<NonNullable<InterviewRow['end']>, string> = {
  completed: '',
  candidate_ended: t('state.candidateEnded'),
  candidate_left: t('state.candidateLeft'),
  candidate_silent: t('state.candidateSilent'),
  no_show: t('state.noShow'),
  out_of_time: t('state.outOfTime'),
  max_turns: t('states.maxTurns'),
  abuse: t('state.abuse'),
  technical: t('state.technical'),
  operator: t('state.operator'),
};

/** What there is to know beside the state: how it ended and what went unanswered, or how far it is. */
export function detailOf(row: InterviewRow, day: (ms: number) => string): string {
  const { state, end, stage, last_line, expires_at, parts, unanswered } = row;
  if (isLive(state)) return [stage, last_line && t('states.lastLine', { line: last_line })].filter(Boolean).join(' · ');
  if (state === 'invited') return expires_at ? t('states.until', { day: day(expires_at) }) : '';
  const left = unanswered ? t('states.unanswered', { unanswered, count: parts }) : '';
  return [end ? ENDS[end] : '', isOver(state) ? left : ''].filter(Boolean).join(' · ');
}

/** The state in one line, as “Completed, 1 of 5 parts unanswered”. */
export function standsOf(row: InterviewRow, day: (ms: number) => string): string {
  const detail = isLive(row.state) ? (row.stage ?? '') : detailOf(row, day);
  return [STATE_WORDS[row.state], detail].filter(Boolean).join(', ');
}

/** How the candidate is called; a foreign frontend may tell no name. */
export function nameOf({ name, expires_at }: Pick<InterviewRow, 'name' | 'expires_at'>): string {
  // Interviews of before kept "there" for one.
  const isName = name && (expires_at || name !== 'there');
  return isName ? name : t('interviews.foreign');
}

/** What the machine has noticed that a person should know. */
export function attentionOf(attention: string): string {
  return attention === 'distress' ? t('attention.distress') : attention;
}
