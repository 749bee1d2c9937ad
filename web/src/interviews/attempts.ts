import type { InterviewRow } from '../api/contract';
import { t } from '../texts';

type Attempted = Pick<InterviewRow, 'attempt'>;

/** The rows with those of one candidate beside one another, at the place of the first of them. */
export function grouped<T extends Attempted>(rows: readonly T[]): T[] {
  const of = new Map<string, T[]>();
  for (const row of rows) of.set(row.attempt.candidate, [...(of.get(row.attempt.candidate) ?? []), row]);
  return [...of.values()].flat();
}

/** Which attempt it is, where there is more than one. */
export function attemptWords({ attempt: { number, of } }: Attempted): string {
  return of > 1 || number > 1 ? t('invitation.attempt', { number, of: Math.max(of, number) }) : '';
}
