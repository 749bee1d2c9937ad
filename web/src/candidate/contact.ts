import type { Candidate } from '../api/client';

/** Whom to ask instead of the machine, where whoever invited the candidate has named somebody. */
export function contactOf(candidate: Candidate & { contact?: string | null }): string | undefined {
  return candidate.contact?.trim() || undefined;
}
