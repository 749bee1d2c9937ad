import { QueryClient, queryOptions } from '@tanstack/react-query';
import { api, type Candidate, type Failure, type SummaryView, type Transcript } from './client';
import { isFinal } from './final';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: Failure;
  }
}

/** A page asks when it is opened, and again only where it says so below: through any fault, and while nobody looks at it. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: false,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      refetchIntervalInBackground: true,
      networkMode: 'always',
      // What a page has loaded goes with it: opened again, it shows nothing old.
      gcTime: 0,
    },
    mutations: { networkMode: 'always', gcTime: 0 },
  },
});

const PAGE_ASKS_MS = 5000;
const GOODBYE_ASKS_MS = 1000;
const LINE_ASKS_MS = 3000;

/** `initialData` where something is asked again: with no data at all, the last failure would be forgotten meanwhile. */
const NOT_YET = null;

/** What can be launched. */
export const blueprints = queryOptions({ queryKey: ['blueprints'], queryFn: api.blueprints });

/** For which roles and levels. */
export const roles = queryOptions({ queryKey: ['roles'], queryFn: api.roles });

/** The key of every launch, by which the pages know that one is under way. */
export const LAUNCH = ['launch'];

/** The key of every plan that is being made. */
export const PLAN = ['plan'];

/** What an interview comes to, once it is over: a model takes up to two minutes to write it. */
export const summaryOf = (id: string) =>
  queryOptions({
    queryKey: ['summary', id],
    queryFn: (): Promise<SummaryView | null> => api.summary(id),
    initialData: NOT_YET,
  });

const early = new Map<string, Promise<Candidate>>();

/**
 * Asks for a candidate's view before there is a page, whose language is in it; the page's first question is answered by it.
 * After a refusal the page asks again: there were no texts yet to say why in its language.
 */
export async function askEarly(token: string): Promise<Candidate | undefined> {
  const asked = api.candidate(token);
  early.set(token, asked);
  return asked.catch(() => {
    early.delete(token);
    return undefined;
  });
}

function candidateView(token: string): Promise<Candidate> {
  const asked = early.get(token);
  early.delete(token);
  return asked ?? api.candidate(token);
}

/** The candidate's view of their interview, as it is when the page is opened. */
export const candidateOf = (token: string) =>
  queryOptions({ queryKey: ['candidate', token], queryFn: () => candidateView(token), staleTime: 'static' });

/** The same and what was said, until it is over. */
export const afterOf = (token: string) =>
  queryOptions({
    queryKey: ['after', token],
    queryFn: async (): Promise<{ candidate: Candidate; transcript: Transcript } | null> => {
      const [candidate, transcript] = await Promise.all([candidateView(token), api.transcript(token)]);
      return { candidate, transcript };
    },
    initialData: NOT_YET,
    refetchInterval: ({ state: { data, error } }) => !isFinal(error, data?.transcript.state) && PAGE_ASKS_MS,
  });

/** What was said before the room was joined. */
export const earlierOf = (token: string) =>
  queryOptions({
    queryKey: ['earlier', token],
    queryFn: (): Promise<Transcript | null> => api.transcript(token),
    initialData: NOT_YET,
  });

/** Whether it was the end when the interviewer left, asked until it was. */
export const goodbyeOf = (token: string) =>
  queryOptions({
    queryKey: ['goodbye', token],
    queryFn: (): Promise<Transcript | null> => api.transcript(token),
    initialData: NOT_YET,
    refetchInterval: ({ state: { data, error } }) => !isFinal(error, data?.state) && GOODBYE_ASKS_MS,
  });

/** Whether no interviewer is free. Asked for the first time after a while: most often one comes at once. */
export const lineOf = (token: string) =>
  queryOptions({
    queryKey: ['line', token],
    queryFn: (): Promise<Candidate | null> => api.candidate(token),
    initialData: NOT_YET,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: LINE_ASKS_MS,
  });
