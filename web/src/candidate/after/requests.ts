import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { Failure } from '../../api/client';
import type { NotedFacts } from '../../api/contract';
import { asProblem } from '../../api/problem';
import { t } from '../../texts';

/** What the candidate has put right in one of their turns; both versions are kept. */
export interface Correction {
  /** The turn's place in the transcript, from 0. */
  turn: number;
  text: string;
}

/** How it was for the candidate, kept apart from their answers. */
export interface Feedback {
  stars: 1 | 2 | 3 | 4 | 5 | null;
  text: string;
}

/** What there is for a candidate after the interview, beside the transcript. */
export interface Afterwards {
  corrections: Correction[];
  feedback: Feedback | null;
  deletion_requested: boolean;
  /** What happens next, in the words of whoever invited them; may be empty. */
  next: string;
  /** Whom to ask; may be empty. */
  contact: string;
  /** What there is beside the transcript: what was in each answer of a practice interview, or a report. */
  offers: ('practice' | 'report')[];
  /** What was noted while it went on; nothing where nobody asked for it. */
  noted: NotedFacts | null;
}

const keyOf = (token: string) => ['afterwards', token];

/** What there is after an interview; `null` where a server offers nothing of it. */
export const afterwardsOf = (token: string) =>
  queryOptions({
    queryKey: keyOf(token),
    queryFn: async (): Promise<Afterwards | null> => {
      try {
        return await ask<Afterwards>(token, 'after');
      } catch (why) {
        if (why instanceof Failure && why.status === 404) return null;
        throw why;
      }
    },
  });

export function useCorrect(token: string) {
  const client = useQueryClient();
  return useMutation<void, Failure, Correction>({
    mutationFn: (correction) => ask(token, 'corrections', correction),
    onSuccess: (_, { turn, text }) =>
      change(client, token, ({ corrections }) => ({
        corrections: [...corrections.filter((other) => other.turn !== turn), { turn, text }],
      })),
  });
}

export function useFeedback(token: string) {
  const client = useQueryClient();
  return useMutation<void, Failure, Feedback>({
    mutationFn: (feedback) => ask(token, 'feedback', feedback),
    onSuccess: (_, feedback) => change(client, token, () => ({ feedback })),
  });
}

/** What they say to the facts that were noted. */
export function useComment(token: string) {
  const client = useQueryClient();
  return useMutation<void, Failure, string>({
    mutationFn: (text) => ask(token, 'integrity/comment', { text }),
    onSuccess: (_, comment) => change(client, token, ({ noted }) => ({ noted: noted && { ...noted, comment } })),
  });
}

export function useDeletion(token: string) {
  const client = useQueryClient();
  return useMutation<void, Failure, void>({
    mutationFn: () => ask(token, 'deletion', {}),
    onSuccess: () => change(client, token, () => ({ deletion_requested: true })),
  });
}

function change(client: QueryClient, token: string, changed: (before: Afterwards) => Partial<Afterwards>) {
  client.setQueryData<Afterwards | null>(keyOf(token), (before) => before && { ...before, ...changed(before) });
}

/** Asks for something, or sends it; what goes wrong is thrown as a failure. */
async function ask<T>(token: string, what: string, body?: object): Promise<T> {
  const path = `/api/candidate/${encodeURIComponent(token)}/${what}`;
  const post = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, body && post).catch(() => {
    throw new Failure(0, { message: t('failed.unreachable'), fields: [] });
  });
  const json: unknown = await response.json().catch(() => undefined);
  if (!response.ok) throw new Failure(response.status, asProblem(json, response.status));
  return json as T;
}
