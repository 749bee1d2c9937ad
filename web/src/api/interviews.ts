import { queryOptions } from '@tanstack/react-query';
import type {
  After,
  Cost,
  Decision,
  InterviewPage,
  InterviewView,
  LatencySheet,
  ListenPass,
  ListQuery,
  NewLink,
  Note,
  Receipt,
  Report,
  Verdict,
} from './contract';
import { isFinal } from './final';
import { at, query, request } from './request';

/** A part of the list of interviews. */
export const listOf = (asked: ListQuery) =>
  queryOptions({
    queryKey: ['interviews', asked],
    queryFn: () => request<InterviewPage>('GET', `/api/interviews${query({ ...asked })}`),
  });

const PAGE_ASKS_MS = 5000;
/** One with a simulated candidate goes faster than people speak. */
const FAST_ASKS_MS = 1000;

/** One interview, as a recruiter reads it; asked again until it is over. */
export const interviewOf = (id: string) =>
  queryOptions({
    queryKey: ['interview', id],
    queryFn: (): Promise<InterviewView | null> => request<InterviewView>('GET', at`/api/interviews/${id}`),
    // With no data at all, the last failure would be forgotten while it is asked again.
    initialData: null,
    refetchInterval: ({ state: { data, error } }) =>
      !isFinal(error, data?.transcript.state) && (data?.interview.simulated ? FAST_ASKS_MS : PAGE_ASKS_MS),
  });

/** Where changes of the list are told. */
export const EVENTS = '/api/events';

/** What the interviewer may ask about next; only a model takes it up. */
export const suggest = (id: string, text: string) =>
  request<void>('POST', at`/api/interviews/${id}/suggestion`, { text });
export const endInterview = (id: string) => request<void>('POST', at`/api/interviews/${id}/end`);
export const listenTo = (id: string) => request<ListenPass>('POST', at`/api/interviews/${id}/listen`);
export const makeLink = (id: string) => request<NewLink>('POST', at`/api/interviews/${id}/link`);
export const cancelInterview = (id: string) => request<void>('POST', at`/api/interviews/${id}/cancel`);
/** What stays of deleted interviews, the newest first. */
export const receipts = (before: number | undefined, max: number) =>
  request<Receipt[]>('GET', `/api/receipts${query({ before, max })}`);
export const deleteInterview = (id: string) => request<Receipt>('DELETE', at`/api/interviews/${id}`);

/** What people have decided about an interview. */
export const decisionOf = (id: string) =>
  queryOptions({
    queryKey: ['decision', id],
    queryFn: () => request<Decision>('GET', at`/api/interviews/${id}/decision`),
  });

/** What the candidate has said after it. */
export const afterOf = (id: string) =>
  queryOptions({
    queryKey: ['after', id],
    queryFn: () => request<After>('GET', at`/api/interviews/${id}/after`),
  });

export const decide = (id: string, form: { verdict: Verdict; reason: string }) =>
  request<Decision>('PUT', at`/api/interviews/${id}/decision`, form);

export const notesOf = (id: string) =>
  queryOptions({
    queryKey: ['notes', id],
    queryFn: () => request<Note[]>('GET', at`/api/interviews/${id}/notes`),
  });
export const addNote = (id: string, text: string) => request<Note[]>('POST', at`/api/interviews/${id}/notes`, { text });

const REPORT_ASKS_MS = 3000;

/** What the machine makes of an interview; asked again while it is being made. */
export const reportOf = (id: string) =>
  queryOptions({
    queryKey: ['report', id],
    queryFn: () => request<Report>('GET', at`/api/interviews/${id}/report`),
    refetchInterval: ({ state: { data } }) => data?.state === 'making' && REPORT_ASKS_MS,
  });
/** Gives a criterion a level as a person; nothing takes it back. The report with it. */
export const giveLevel = (id: string, criterion: string, level: number | null) =>
  request<Report>('PUT', at`/api/interviews/${id}/levels`, { criterion, level });
export const makeReport = (id: string) => request<Report>('POST', at`/api/interviews/${id}/report`);

/** How long the replies of an interview took, when it is over. */
export const latencyOf = (id: string) =>
  queryOptions({
    queryKey: ['latency', id],
    queryFn: () => request<LatencySheet>('GET', at`/api/interviews/${id}/latency`),
  });

/** What an interview has cost, once it is over; a report that is made later costs more. */
export const costOf = (id: string, reportIs: string) =>
  queryOptions({
    queryKey: ['cost', id, reportIs],
    queryFn: () => request<Cost>('GET', at`/api/interviews/${id}/cost`),
  });

export type ExportKind = 'json' | 'csv' | 'md' | 'vtt';

/** Where an interview is, for programs and other people. */
export const exportOf = (id: string, kind: ExportKind) => at`/api/interviews/${id}/export/${kind}`;
