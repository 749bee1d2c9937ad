import { queryOptions } from '@tanstack/react-query';
import type { Decision, Note, Report } from './contract';
import { at, request } from './request';
import type { components } from './schema';

export type Share = components['schemas']['Share'];
export type NewShare = components['schemas']['NewShare'];

/** A report as somebody without an account reads it. */
export interface SharedReport extends Omit<components['schemas']['SharedReport'], 'report' | 'decision' | 'notes'> {
  report: Report;
  decision: Decision | null;
  notes: Note[];
}

/** The links to the report of an interview, the newest first. */
export const sharesOf = (id: string) =>
  queryOptions({
    queryKey: ['shares', id],
    queryFn: () => request<Share[]>('GET', at`/api/interviews/${id}/shares`),
  });
export const shareReport = (id: string, form: { days: number; with_decision: boolean }) =>
  request<NewShare>('POST', at`/api/interviews/${id}/shares`, form);
export const revokeShare = (id: string, share: string) =>
  request<void>('DELETE', at`/api/interviews/${id}/shares/${share}`);

/** The report of a link; asked once, as each time is counted. */
export const sharedBy = (token: string) =>
  queryOptions({
    queryKey: ['shared', token],
    queryFn: () => request<SharedReport>('POST', '/api/shared', { token }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  });
