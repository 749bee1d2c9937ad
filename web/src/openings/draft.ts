import type { Criterion, KnownAnswer, OpeningForm, OwnQuestion } from '../api/contract';
import { kept } from '../launch/kept';
import { live, type Row } from '../launch/plan/order';

export type OwnDraft = OwnQuestion & Row;
export type CriterionDraft = Criterion & Row;
export type KnownDraft = KnownAnswer & Row;

/** The form as it is filled in: rows can be dropped and taken back. */
export interface Draft extends Omit<OpeningForm, 'questions' | 'criteria' | 'knowledge'> {
  questions: readonly OwnDraft[];
  criteria: readonly CriterionDraft[];
  knowledge: readonly KnownDraft[];
}

/** A draft, and what it began from. */
export interface KeptDraft {
  draft: Draft;
  /** The form as it was read from the server, and its version; nothing for a new opening. */
  base: { form: OpeningForm; version: number } | null;
  /** When something was typed last; 0: nothing yet. */
  changed_at: number;
}

export const EMPTY: OpeningForm = {
  title: '',
  role: '',
  level: 'mid',
  job_description: '',
  blueprint: '',
  questions: [],
  criteria: [],
  knowledge: [],
  length_min: null,
  recording: false,
  link_days: 7,
  attempts: 1,
  retention_days: null,
  contact: '',
  next: '',
  feedback: false,
  candidate_report: 'nobody',
  integrity: 'off',
};

const EMPTY_DRAFT: Draft = { ...EMPTY, questions: [], criteria: [], knowledge: [] };

/** The key of the draft of an opening that is not made yet. */
export const NEW = 'new';

/** The drafts by their opening's id, over a reload too. */
export const useDrafts = kept<Readonly<Record<string, KeptDraft>>>({}, { key: 'openings.drafts', restore: completed });

/** Drafts that an older page has kept lack the fields that are new. */
export function completed(drafts: Readonly<Record<string, KeptDraft>>): Record<string, KeptDraft> {
  const whole = (kept: KeptDraft): KeptDraft => ({ ...kept, draft: { ...EMPTY_DRAFT, ...kept.draft } });
  return Object.fromEntries(Object.entries(drafts).map(([id, kept]) => [id, whole(kept)]));
}

/** The draft of a form. */
export function draftOf(form: OpeningForm): Draft {
  const rows = <T>(list: readonly T[]): (T & Row)[] =>
    list.map((row, index) => ({ ...row, id: `row${index + 1}`, dropped: false }));
  return {
    ...form,
    questions: rows(form.questions),
    criteria: rows(form.criteria),
    knowledge: rows(form.knowledge),
  };
}

/** What is sent of a draft. */
export function formOf(draft: Draft): OpeningForm {
  return {
    ...draft,
    title: draft.title.trim(),
    role: draft.role.trim(),
    job_description: draft.job_description.trim(),
    contact: draft.contact.trim(),
    next: draft.next.trim(),
    questions: live(draft.questions).map(({ text, wording, follow_ups, reason }) => ({
      text: text.trim(),
      wording,
      follow_ups,
      ...(reason?.trim() && { reason: reason.trim() }),
    })),
    criteria: live(draft.criteria).map(({ name, about, priority, weight }) => ({
      name: name.trim(),
      about: about.trim(),
      priority,
      weight,
    })),
    knowledge: live(draft.knowledge).map(({ question, answer }) => ({
      question: question.trim(),
      answer: answer.trim(),
    })),
  };
}

/** Whether two forms say the same. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
