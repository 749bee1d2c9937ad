import { queryOptions } from '@tanstack/react-query';
import type {
  CandidateForm,
  Estimate,
  Invited,
  Manner,
  Opening,
  OpeningForm,
  OpeningRow,
  OpeningState,
  PastedList,
  Template,
} from './contract';
import { at, request } from './request';

/** Forms to begin from. */
export const templates = queryOptions({
  queryKey: ['templates'],
  queryFn: () => request<Template[]>('GET', '/api/templates'),
});

/** All openings, those changed last first. */
export const openings = queryOptions({
  queryKey: ['openings'],
  queryFn: () => request<OpeningRow[]>('GET', '/api/openings'),
});

export const openingOf = (id: string) =>
  queryOptions({
    queryKey: ['opening', id],
    queryFn: () => request<Opening>('GET', at`/api/openings/${id}`),
  });

export const estimateOf = (form: OpeningForm) => request<Estimate>('POST', '/api/openings/estimate', form);
export const makeOpening = (form: OpeningForm) => request<Opening>('POST', '/api/openings', form);
export const changeOpening = (id: string, version: number, form: OpeningForm) =>
  request<Opening>('PUT', at`/api/openings/${id}`, { version, form });
export const setOpeningState = (id: string, state: OpeningState) =>
  request<Opening>('POST', at`/api/openings/${id}/state`, { state });
export const previewOpening = (id: string) => request<Invited>('POST', at`/api/openings/${id}/preview`);
/** Begins an interview with a simulated candidate, so many times as fast as people speak. */
export const simulateOpening = (id: string, manner: Manner, speed: number) =>
  request<{ id: string }>('POST', at`/api/openings/${id}/simulate`, { manner, speed });
export const addCandidates = (
  id: string,
  candidates: CandidateForm[],
  sending: { by_mail: boolean; zone: string; appointment: number | null },
) => request<Invited[]>('POST', at`/api/openings/${id}/candidates`, { candidates, ...sending });
export const readCandidates = (text: string) => request<PastedList>('POST', '/api/candidates/read', { text });
