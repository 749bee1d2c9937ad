import type { DocumentText, PlannedQuestion, PlannedTopic, PlanView } from '../../api/client';
import { live, type Row } from './order';

export interface QuestionDraft extends Row, Pick<PlannedQuestion, 'text' | 'priority'> {}

/** The lists of a topic, as they are typed: one item a line. */
export const LISTS = ['sub_goals', 'probes', 'cues', 'signals'] as const;
export type TopicList = (typeof LISTS)[number];
export interface TopicDraft extends Row, Record<TopicList | 'title', string> {}

/** What a plan is made from, as far as a change of it makes the plan old. */
export interface Source {
  documents: readonly DocumentText[];
  guide: string;
  role: string;
}

/** A plan that was made, and how it stands in the form by now. */
export interface PlanDraft {
  made: PlanView;
  from: Source;
  questions: readonly QuestionDraft[];
  topics: readonly TopicDraft[];
}

export function draftOf(made: PlanView, from: Source): PlanDraft {
  return {
    made,
    from,
    questions: made.questions.map((question) => ({ ...question, dropped: false })),
    topics: made.topics.map(({ key, title, ...lists }) => ({
      id: key,
      dropped: false,
      title,
      sub_goals: lists.sub_goals.join('\n'),
      probes: lists.probes.join('\n'),
      cues: lists.cues.join('\n'),
      signals: lists.signals.join('\n'),
    })),
  };
}

/** The questions as they are sent: without the dropped ones, in their order. */
export function questionsOf(plan: PlanDraft): PlannedQuestion[] {
  return live(plan.questions).map(({ id, text, priority }) => ({ id, text: text.trim(), priority }));
}

/** The topics as they are sent. */
export function topicsOf(plan: PlanDraft): PlannedTopic[] {
  return live(plan.topics).map((topic) => ({
    key: topic.id,
    title: topic.title.trim(),
    sub_goals: linesOf(topic.sub_goals),
    probes: linesOf(topic.probes),
    cues: linesOf(topic.cues),
    signals: linesOf(topic.signals),
  }));
}

/** The items of a list that is typed one a line. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/** Whether something would be lost if the plan were made anew. */
export function isEdited(plan: PlanDraft): boolean {
  const unchanged = draftOf(plan.made, plan.from);
  const sent = (draft: PlanDraft) => JSON.stringify([questionsOf(draft), topicsOf(draft)]);
  return sent(plan) !== sent(unchanged);
}

/** What has changed since a plan was made: it would come out differently. */
export function changedSince(from: Source, now: Source): (keyof Source)[] {
  const changed: (keyof Source)[] = [];
  if (!isSame(from.documents, now.documents)) changed.push('documents');
  if (from.guide.trim() !== now.guide.trim()) changed.push('guide');
  if (from.role.trim() !== now.role.trim()) changed.push('role');
  return changed;
}

function isSame(some: readonly DocumentText[], others: readonly DocumentText[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ name, text }, at) => name === others[at]?.name && text === others[at].text)
  );
}
