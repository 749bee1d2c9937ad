// The types of the recruiter's API, as the server sends and takes them. Times are in milliseconds since 1970, ids are opaque.
import type { components } from './schema';

export type Role = 'viewer' | 'recruiter' | 'admin';

export interface Account {
  id: string;
  name: string;
  email: string;
  role: Role;
  created_at: number;
  /** Nothing before they signed in. */
  last_seen_at: number | null;
  disabled: boolean;
  /** Who has none signs in elsewhere. */
  has_password: boolean;
}

export interface SessionView {
  state: 'set_up' | 'signed_out' | 'signed_in';
  account: Account | null;
  /** Whether the first account needs the code that the program has printed. */
  needs_code: boolean;
  /** Whether people can sign in with an account from elsewhere. */
  oidc: boolean;
  /** Whether people can sign in with a password. */
  passwords: boolean;
  real_speech: boolean;
  real_model: boolean;
  /** Whether invitations can go out by mail. */
  sends_mail: boolean;
  /** Whether candidates can be recorded. */
  records: boolean;
}

/** An account and the link with which they choose a password; relative, and shown this once. */
export interface AccountLink {
  account: Account;
  link: string;
}

export interface ApiKey {
  id: string;
  name: string;
  role: Role;
  created_at: number;
  last_used_at: number | null;
}

export interface NewKey {
  key: ApiKey;
  /** Shown this once. */
  secret: string;
}

export type ActorKind = 'person' | 'key' | 'candidate' | 'system' | 'unknown';
export type AboutKind = 'interview' | 'opening' | 'account' | 'key' | 'webhook' | 'blueprint';

export interface AuditRow {
  /** Its place in the chain, from 1. */
  number: number;
  at: number;
  /** Their name at that time. */
  who: string;
  actor: { kind: ActorKind; id: string };
  deed: string;
  what: string;
  /** An id. */
  object: string;
  /** What that is, where it is still there. */
  about: { kind: AboutKind; name: string } | null;
  detail: string;
}

/** Which part of the audit trail; what is left out narrows nothing. */
export interface AuditQuery {
  actor: string | undefined;
  deed: string | undefined;
  from: number | undefined;
  before: number | undefined;
}

export interface AuditChoices {
  actors: { actor: string; kind: ActorKind; name: string }[];
  deeds: { deed: string; words: string }[];
}

export interface AuditChain {
  /** Nothing in an empty trail. */
  first: number | null;
  intact_up_to: number;
  last: number;
  /** Nothing where all is as it was written. */
  fault: 'changed' | 'missing' | 'beginning_missing' | null;
}

export type Wording = 'verbatim' | 'guide';
export type Need = 'must' | 'should' | 'nice';

export interface OwnQuestion {
  text: string;
  wording: Wording;
  follow_ups: number;
  /** Why it is asked, where it is about something that it should not be about. */
  reason?: string;
}

export interface Criterion {
  name: string;
  about: string;
  priority: Need;
  weight: number;
}

export interface KnownAnswer {
  question: string;
  answer: string;
}

export interface OpeningForm {
  title: string;
  role: string;
  level: string;
  job_description: string;
  blueprint: string;
  questions: OwnQuestion[];
  criteria: Criterion[];
  knowledge: KnownAnswer[];
  /** Nothing: as the blueprint says. */
  length_min: number | null;
  recording: boolean;
  link_days: number;
  /** How many attempts a candidate has. */
  attempts: number;
  /** Nothing: it is kept. */
  retention_days: number | null;
  contact: string;
  /** What happens after the interview, as candidates read it. */
  next: string;
  feedback: boolean;
  /** Who reads the report beside recruiters. */
  candidate_report: ReportFor;
  /** Whether it is noted that candidates leave the page or paste. */
  integrity: 'off' | 'facts';
}

export type ReportFor = 'nobody' | 'candidate' | 'candidate_with_levels';

export interface Estimate {
  stages: { title: string; minutes: number }[];
  minutes_from: number;
  minutes_to: number;
  length_limit_min: number;
  /** Why this does not fit, and how to mend it. */
  over_booked: string | null;
  /** What it asks, part by part; `own` are the recruiter's own questions. */
  asked: { title: string; questions: string[]; questions_max: number; own: boolean }[];
}

export type OpeningState = 'open' | 'closed';

export interface Opening {
  id: string;
  version: number;
  form: OpeningForm;
  state: OpeningState;
  created_at: number;
  updated_at: number;
  /** Nothing where its blueprint is no more. */
  estimate: Estimate | null;
}

export interface OpeningRow {
  id: string;
  title: string;
  role: string;
  level: string;
  blueprint_title: string;
  state: OpeningState;
  invited: number;
  running: number;
  done: number;
  to_decide: number;
  updated_at: number;
}

export interface Template {
  name: string;
  title: string;
  about: string;
  form: OpeningForm;
}

export interface CandidateForm {
  name: string;
  email: string;
  resume: string;
  /** What is made different for them; left out, nothing. */
  accommodations?: { pauses: 'usual' | 'longer' | 'much_longer'; captions: boolean; types: boolean };
}

export interface Invited {
  id: string;
  name: string;
  /** May be empty. */
  email: string;
  /** Relative, and shown this once. */
  link: string;
  expires_at: number;
}

/** Somebody in a pasted list, as they were read. */
export interface PastedLine {
  line: number;
  name: string;
  email: string;
  problem: string | null;
}

/** A line of a pasted list that is nobody. */
export interface ListLine {
  line: number;
  text: string;
}

/** A pasted list: each of its lines is in one of these, or empty. */
export interface PastedList {
  candidates: PastedLine[];
  headings: ListLine[];
  /** The first lines that were not understood, and how many more there are. */
  unread: ListLine[];
  unread_more: number;
}

export type State =
  | 'invited'
  | 'waiting'
  | 'in_progress'
  | 'paused'
  | 'completed'
  | 'abandoned'
  | 'expired'
  | 'cancelled'
  | 'failed'
  | 'interrupted';

/** What an interview that is over came to; the server alone says what is completed. */
export type Outcome = components['schemas']['Outcome'];

export type Verdict = 'advance' | 'hold' | 'reject';

export interface InterviewRow {
  id: string;
  name: string;
  email: string;
  opening: string | null;
  opening_title: string;
  role: string;
  blueprint: string;
  title: string;
  state: State;
  /** What it came to; nothing before it is over. */
  outcome: Outcome | null;
  end: components['schemas']['End'] | null;
  made_at: number;
  started_at: number | null;
  expires_at: number | null;
  updated_at: number;
  /** The title of the stage that it is in. */
  stage: string | null;
  /** What was said last. */
  last_line: string | null;
  minutes: number | null;
  /** Its parts in which there is something to answer. */
  parts: number;
  /** Those of them without an answer, once it is over. */
  unanswered: number | null;
  /** Whether the candidate is simulated: it is about no person. */
  simulated: boolean;
  /** Whether somebody of the house tries it themselves: nobody decides about it. */
  trial: boolean;
  decision: Verdict | null;
  /** What became of the latest mail to the candidate. */
  mail: MailBrief | null;
  /** The time that was proposed to them. */
  appointment: number | null;
  /** Which attempt of theirs it is; the same candidate in all of them. */
  attempt: { candidate: string; number: number; of: number };
  /** What a person should look at: `distress`. */
  attention: string | null;
}

/** How a simulated candidate behaves. */
export type Manner = components['schemas']['Manner'];

export type MailKind = components['schemas']['MailKind'];
export type MailBrief = components['schemas']['MailBrief'];
export type InterviewMail = Omit<components['schemas']['InterviewMail'], 'appointment' | 'mails'> & {
  appointment: number | null;
  mails: (Pick<MailBrief, 'kind' | 'state' | 'problem'> & { made_at: number; done_at: number | null })[];
};

export interface InterviewPage {
  rows: InterviewRow[];
  /** How many there are in all that fit the search. */
  total: number;
  counts: Partial<Record<State, number>>;
  next: string | null;
}

export type Sort = 'made_at' | 'name' | 'state' | 'updated_at';

export interface ListQuery {
  state?: State | undefined;
  needs?: 'company' | 'decision' | undefined;
  opening?: string | undefined;
  search?: string | undefined;
  sort?: Sort | undefined;
  descending?: boolean | undefined;
  max?: number | undefined;
  after?: string | undefined;
}

export interface InterviewView extends Omit<components['schemas']['InterviewView'], 'interview'> {
  interview: InterviewRow;
}

export interface ListenPass {
  url: string;
  token: string;
}

export interface NewLink {
  link: string;
  expires_at: number;
}

/** What stays of a deleted interview. */
export interface Receipt {
  interview: string;
  made_at: number;
  /** By the candidate, where they asked. */
  asked_at: number;
  by_candidate: boolean;
  removed_at: number;
  removed_by: string;
  /** Nothing while there is something left to delete. */
  done_at: number | null;
  what: string;
}

export interface DecisionEntry {
  verdict: Verdict;
  reason: string;
  by: string;
  at: number;
}

export interface Decision {
  /** The one that counts; nothing before somebody has decided. */
  current: DecisionEntry | null;
  /** All of them, the newest first; none is ever changed. */
  history: DecisionEntry[];
}

/** What a candidate has said after their interview. */
export interface After {
  /** The last correction of each turn, by the turn's place in the transcript. */
  corrections: { turn: number; text: string }[];
  feedback: { stars: number | null; text: string } | null;
  deletion_requested: boolean;
  review_requested: boolean;
  /** What was noted; nothing where the opening did not ask for it. */
  noted: NotedFacts | null;
}

export type NotedFacts = components['schemas']['NotedFacts'];

export interface Note {
  text: string;
  by: string;
  at: number;
}

export interface Evidence {
  quote: string;
  turn: number;
  start_ms: number;
  end_ms: number;
  confidence: number | null;
  /** The turn as the candidate meant it, where they put it right afterwards. */
  corrected?: string | null;
}

export type CriterionVerdict =
  | 'met'
  | 'partly'
  | 'not_met'
  | 'insufficient_evidence'
  | 'not_asked'
  | 'no_level'
  | 'failed';

export interface CriterionReport {
  name: string;
  about: string;
  priority: Need;
  weight: number;
  level: number | null;
  /** Who gave that level, where a person did. */
  given_by: string | null;
  verdict: CriterionVerdict;
  reason: string;
  evidence: Evidence[];
}

export interface QuestionReport {
  text: string;
  /** The same for the same question in the interviews of others. */
  same: string;
  stage: string;
  at_ms: number | null;
  asked: boolean;
  answered: 'answered' | 'partly' | 'skipped' | 'unanswered';
  quotes: Omit<Evidence, 'confidence'>[];
}

export type EventKind = 'barge_in' | 'nudge' | 'handoff' | 'pause' | 'line_cut' | 'repeat' | 'skip';

export interface Timeline {
  duration_ms: number;
  speech: { speaker: 'candidate' | 'interviewer'; from_ms: number; to_ms: number }[];
  stages: { title: string; from_ms: number; to_ms: number }[];
  events: { at_ms: number; kind: EventKind; text: string }[];
  /** From the candidate's last word; each includes the one before. */
  latency: {
    turn: number;
    end_of_turn_ms: number | null;
    first_clause_ms: number | null;
    response_ms: number | null;
  }[];
}

export interface Report {
  v: 1;
  state: 'ready' | 'making' | 'failed' | 'none';
  trouble: string | null;
  made: {
    by: 'model' | 'rules';
    model: string | null;
    prompt_hash: string | null;
    tokens_in: number | null;
    tokens_out: number | null;
    made_at: number;
  } | null;
  header: {
    blueprint: string;
    title: string;
    blueprint_hash: string;
    engine: number;
    started_at: number | null;
    ended_at: number | null;
    end: string | null;
    outcome: Outcome | null;
    quality: string[];
  };
  criteria: CriterionReport[];
  overall: { covered: number; of: number; weighted: number | null; words: string; judged_by: string };
  questions: QuestionReport[];
  /** What pages say in figures: they count nothing themselves. */
  figures: components['schemas']['ReportFigures'];
  facts: {
    words: number;
    talk_ratio: number | null;
    fillers: number;
    words_per_minute: number | null;
    longest_answer_ms: number;
    answers: number;
    median_answer_delay_ms: number | null;
  };
  todos: { text: string; priority: string }[];
  candidate_questions: { text: string; answered: boolean; turn: number }[];
  corrections: { turn: number; old: string; text: string }[];
  timeline: Timeline;
}

/** What an interview has used of its providers, and what that costs. */
export type Cost = components['schemas']['Cost'];

/** How long replies took, in parts that sum to the whole, each with the settings that cause it. */
export type LatencySheet = components['schemas']['LatencySheet'];
