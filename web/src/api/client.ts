import createClient from 'openapi-fetch';
import { t } from '../texts';
import { asProblem, type Problem } from './problem';
import type { components, paths } from './schema';
import { tellStatus } from './signedOut';

export type { Problem } from './problem';
export type Candidate = components['schemas']['CandidateView'];
export type Admission = components['schemas']['Admission'];
export type Blueprint = components['schemas']['BlueprintChoice'];
export type RoleChoices = components['schemas']['RoleChoices'];
export type Launched = components['schemas']['Launched'];
export type LaunchForm = components['schemas']['LaunchForm'];
export type DocumentText = components['schemas']['DocumentText'];
export type DocumentView = components['schemas']['DocumentView'];
export type PlanForm = components['schemas']['PlanForm'];
export type PlanView = components['schemas']['PlanView'];
export type PlannedQuestion = components['schemas']['PlannedQuestion'];
export type PlannedTopic = components['schemas']['PlannedTopic'];
export type Transcript = components['schemas']['TranscriptView'];
export type PlanProgress = components['schemas']['PlanProgress'];
export type QuestionProgress = components['schemas']['QuestionProgress'];
export type TopicProgress = components['schemas']['TopicProgress'];
export type ContactField = components['schemas']['ContactField'];
export type SummaryView = components['schemas']['SummaryView'];
export type FormField = components['schemas']['FormField'];
export type Accommodations = components['schemas']['Accommodations'];
export type SoundCheck = components['schemas']['SoundCheckView'];
export type Practice = components['schemas']['PracticeView'];
export type ReviewedAnswer = components['schemas']['ReviewedAnswer'];
export type Suggestion = components['schemas']['Suggestion'];
export type Tried = components['schemas']['Tried'];
export type Try = components['schemas']['TryView'];
export type CandidateReport = components['schemas']['CandidateReport'];

const client = createClient<paths>({ baseUrl: '' });

/** Why a request was not done: the problem in words, and the status (0: no answer at all). */
export class Failure extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
  ) {
    super(problem.message);
  }
}

type Raw<T> = Promise<{ data?: T; error?: unknown; response: Response }>;

/** The data of an answer; whatever else comes of a request is thrown as a failure. */
async function answer<T>(request: Raw<T>): Promise<T> {
  const { data, error, response } = await request.catch(() => {
    throw new Failure(0, { message: t('failed.unreachable'), fields: [] });
  });
  if (data !== undefined) return data;
  tellStatus(response.status);
  throw new Failure(response.status, asProblem(error, response.status));
}

/** Where the sound of an interview is, for a player. */
export const recordingOf = (id: string) => `/api/interviews/${encodeURIComponent(id)}/recording`;

/** Where a file of an interview is, to download it. */
export const fileOf = (id: string, name: string) =>
  `/api/interviews/${encodeURIComponent(id)}/files/${encodeURIComponent(name)}`;

/** The requests that the pages make; each throws a `Failure`. */
export const api = {
  blueprints: () => answer<Blueprint[]>(client.GET('/api/blueprints')),
  roles: () => answer<RoleChoices>(client.GET('/api/roles')),
  sample: (name: string) =>
    answer<DocumentText[]>(client.GET('/api/blueprints/{name}/sample', { params: { path: { name } } })),
  readDocument: (file: File) =>
    answer<DocumentView>(
      client.POST('/api/documents', {
        params: { query: { name: file.name } },
        headers: { 'Content-Type': 'application/octet-stream' },
        body: '',
        bodySerializer: () => file,
      }),
    ),
  /** The letters of a file with a list, whatever encoding it is in. */
  readList: (file: File) =>
    answer<{ text: string }>(
      client.POST('/api/candidates/text', {
        params: { query: { name: file.name } },
        headers: { 'Content-Type': 'application/octet-stream' },
        body: '',
        bodySerializer: () => file,
      }),
    ),
  plan: (form: PlanForm) => answer<PlanView>(client.POST('/api/plans', { body: form })),
  launch: (form: LaunchForm) => answer<Launched>(client.POST('/api/interviews', { body: form })),
  summary: (id: string) =>
    answer<SummaryView>(client.GET('/api/interviews/{id}/summary', { params: { path: { id } } })),
  candidate: (token: string) =>
    answer<Candidate>(client.GET('/api/candidate/{token}', { params: { path: { token } } })),
  start: (token: string, recording?: boolean, accommodations?: Accommodations) =>
    answer<Admission>(
      client.POST('/api/candidate/{token}/start', {
        params: { path: { token } },
        body: { consent: true, recording, accommodations },
      }),
    ),
  /** What the recogniser heard in a sentence (WAV); nothing of it is kept. */
  checkSound: (token: string, sound: Blob) =>
    answer<SoundCheck>(
      client.POST('/api/candidate/{token}/sound-check', {
        params: { path: { token } },
        headers: { 'Content-Type': 'audio/wav' },
        body: '',
        bodySerializer: () => sound,
      }),
    ),
  practice: (token: string) =>
    answer<Practice>(client.GET('/api/candidate/{token}/practice', { params: { path: { token } } })),
  tryAgain: (token: string, question: number) =>
    answer<Tried>(client.POST('/api/candidate/{token}/tries', { params: { path: { token } }, body: { question } })),
  candidateReport: (token: string) =>
    answer<CandidateReport>(client.GET('/api/candidate/{token}/report', { params: { path: { token } } })),
  transcript: (token: string) =>
    answer<Transcript>(client.GET('/api/candidate/{token}/transcript', { params: { path: { token } } })),
};
