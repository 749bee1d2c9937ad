import { queryOptions } from '@tanstack/react-query';
import type { InterviewMail, Invited } from './contract';
import { at, request } from './request';

const MAIL_ASKS_MS = 3000;

/** The mails about an interview, and the proposed time; asked again while one waits. */
export const mailOf = (id: string) =>
  queryOptions({
    queryKey: ['mail', id],
    queryFn: () => request<InterviewMail>('GET', at`/api/interviews/${id}/mail`),
    refetchInterval: ({ state: { data } }) =>
      Boolean(data?.mails.some(({ state }) => state === 'waiting')) && MAIL_ASKS_MS,
  });
export const sendMail = (id: string, zone: string) =>
  request<InterviewMail>('POST', at`/api/interviews/${id}/mail`, { zone });
export const setAppointment = (id: string, when: number, zone: string) =>
  request<InterviewMail>('PUT', at`/api/interviews/${id}/appointment`, { at: when, zone });
export const takeBackAppointment = (id: string) =>
  request<InterviewMail>('DELETE', at`/api/interviews/${id}/appointment`);

/** Another attempt of the candidate of an interview. */
export const inviteAgain = (id: string, sending: { by_mail: boolean; zone: string; appointment: number | null }) =>
  request<Invited>('POST', at`/api/interviews/${id}/again`, sending);
