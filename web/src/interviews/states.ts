import type { InterviewRow, Outcome, State, Verdict } from '../api/contract';
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

/** The names of states, to choose by; of one interview {@link wordOf} says more. */
export const STATE_WORDS: Record<State, string> = {
  invited: t('states.invited'),
  waiting: t('states.waiting'),
  in_progress: t('states.inProgress'),
  paused: t('states.paused'),
  completed: t('states.over'),
  abandoned: t('states.abandoned'),
  expired: t('states.expired'),
  cancelled: t('states.cancelled'),
  failed: t('states.failed'),
  interrupted: t('states.interrupted'),
};

const STATE_SHAPES: Record<State, string> = {
  invited: 'status',
  waiting: 'status',
  in_progress: 'status live',
  paused: 'status pause',
  completed: 'status',
  abandoned: 'status warn',
  expired: 'status warn',
  cancelled: 'status',
  failed: 'status bad',
  interrupted: 'status bad',
};

const OUTCOMES: Record<Outcome, readonly [word: string, shape: string]> = {
  completed: [t('states.completed'), 'status ok'],
  candidate_ended: [t('state.candidateEnded'), 'status early'],
  candidate_left: [t('state.candidateLeft'), 'status warn'],
  candidate_silent: [t('state.candidateSilent'), 'status warn'],
  no_show: [t('state.noShow'), 'status warn'],
  out_of_time: [t('state.outOfTime'), 'status late'],
  max_turns: [t('states.maxTurns'), 'status late'],
  abuse: [t('state.abuse'), 'status bad'],
  technical: [t('state.technical'), 'status bad'],
  operator: [t('state.operator'), 'status stopped'],
  interrupted: [t('states.interrupted'), 'status bad'],
};

type Standing = Pick<InterviewRow, 'state' | 'outcome'>;

/** Where an interview stands, in a word or two: once it is over, what it came to. */
export function wordOf({ state, outcome }: Standing): string {
  return outcome ? OUTCOMES[outcome][0] : STATE_WORDS[state];
}

/** The shape beside that word. */
export function shapeOf({ state, outcome }: Standing): string {
  return outcome ? OUTCOMES[outcome][1] : STATE_SHAPES[state];
}

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
export function isToDecide(row: Pick<InterviewRow, 'state' | 'decision' | 'simulated' | 'trial'>): boolean {
  return row.state === 'completed' && !row.decision && !row.simulated && !row.trial;
}

/** What there is to know beside the state: what went unanswered, or how far it is. */
export function detailOf(row: InterviewRow, day: (ms: number) => string): string {
  const { state, stage, last_line, expires_at, parts, unanswered } = row;
  if (isLive(state)) return [stage, last_line && t('states.lastLine', { line: last_line })].filter(Boolean).join(' · ');
  if (state === 'invited') return expires_at ? t('states.until', { day: day(expires_at) }) : '';
  return isOver(state) && unanswered ? t('states.unanswered', { unanswered, count: parts }) : '';
}

/** The state in one line, as “Completed, 1 of 5 parts unanswered”. */
export function standsOf(row: InterviewRow, day: (ms: number) => string): string {
  const detail = isLive(row.state) ? (row.stage ?? '') : detailOf(row, day);
  return [wordOf(row), detail].filter(Boolean).join(', ');
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
