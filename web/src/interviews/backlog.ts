import type { QuestionProgress, Transcript } from '../api/client';
import { t } from '../texts';

/** A question with those that follow it up. */
export interface Thread {
  question: QuestionProgress;
  /** The question whose answer called for it, if that is known. */
  parent: QuestionProgress | undefined;
  followUps: Thread[];
}

/** The questions in their order, each follow-up below its parent. None is lost, whatever the parents say. */
export function threadsOf(questions: readonly QuestionProgress[]): Thread[] {
  const threads = new Map<string, Thread>();
  const roots: Thread[] = [];
  for (const question of questions) {
    const parent = question.parent ? threads.get(question.parent) : undefined;
    const thread = { question, parent: parent?.question, followUps: [] };
    threads.set(question.id, thread);
    // One that an answer brought up is a question of its own.
    if (parent && question.origin === 'follow_up') parent.followUps.push(thread);
    else roots.push(thread);
  }
  return roots;
}

/** How many questions are how far, in one line. */
export function countsOf(questions: readonly QuestionProgress[]): string {
  const count = (status: QuestionProgress['status']) => questions.filter((each) => each.status === status).length;
  const must = questions.filter(({ priority }) => priority === 'P0');
  const mustOpen = must.filter(({ status }) => status === 'open').length;
  const [inPart, unknown] = [count('answered_partial'), count('unknown')];
  return [
    t('progress.answered', { answered: count('answered'), all: questions.length }),
    inPart > 0 && t('progress.inPart', { number: inPart }),
    unknown > 0 && t('progress.notKnown', { number: unknown }),
    mustOpen > 0 && t('progress.mustOpen', { count: mustOpen }),
    mustOpen === 0 && must.length > 0 && t('progress.mustAsked'),
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * The id of the question that waits for its answer in a running interview. One that was left without an answer stays
 * `asked`, so of several it is the one that was said last.
 */
export function askedNow(questions: readonly QuestionProgress[], turns: Transcript['turns']): string | undefined {
  const saidIn = ({ asked_as }: QuestionProgress) =>
    asked_as ? turns.findLastIndex(({ speaker, text }) => speaker === 'interviewer' && text.includes(asked_as)) : -1;
  let now: { id: string; at: number } | undefined;
  for (const question of questions) {
    if (question.status !== 'asked') continue;
    const at = saidIn(question);
    if (!now || at >= now.at) now = { id: question.id, at };
  }
  return now?.id;
}

/** Where a question comes from, in words. */
export function originOf({ question: { origin }, parent }: Thread): string {
  switch (origin) {
    case 'plan':
      return t('progress.ofPlan');
    case 'follow_up':
      return parent ? t('progress.followUpOf', { question: parent.text }) : t('progress.followUp');
    case 'discovered':
      return parent ? t('progress.discoveredBy', { question: parent.text }) : t('progress.discovered');
  }
}

/** How far a question is: its word, and the class that gives it its shape. */
export function statusOf(status: QuestionProgress['status'], isNow: boolean): readonly [string, string] {
  switch (status) {
    case 'open':
      return [t('progress.open'), 'status'];
    case 'asked':
      return isNow ? [t('progress.askedNow'), 'status live'] : [t('progress.asked'), 'status pause'];
    case 'answered_partial':
      return [t('progress.answeredPartial'), 'status warn'];
    case 'answered':
      return [t('progress.answeredFully'), 'status ok'];
    case 'unknown':
      return [t('progress.unknown'), 'status bad'];
  }
}

export const PRIORITIES: Record<QuestionProgress['priority'], string> = {
  P0: t('progress.must'),
  P1: t('progress.should'),
  P2: t('progress.could'),
};
