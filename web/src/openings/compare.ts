import type { Criterion, CriterionReport, Need, QuestionReport, Report } from '../api/contract';
import { t } from '../texts';

export interface CompareRow {
  name: string;
  priority: Need | undefined;
  /** For each candidate: what the report says; nothing where it does not know the criterion. */
  cells: (CriterionReport | 'loading' | undefined)[];
}

/**
 * Criteria × candidates. The criteria of the opening come first, in its order; then those that only older interviews were
 * asked about.
 */
export function cellsOf(criteria: readonly Criterion[], reports: readonly (Report | undefined)[]): CompareRow[] {
  const now = criteria.map(({ name, priority }) => ({ name, priority }));
  const known = new Map<string, Need | undefined>(now.map(({ name, priority }) => [name, priority]));
  for (const report of reports)
    for (const { name, priority } of report?.criteria ?? []) if (!known.has(name)) known.set(name, priority);
  return [...known].map(([name, priority]) => ({
    name,
    priority,
    cells: reports.map((report) => (report ? report.criteria.find((found) => found.name === name) : 'loading')),
  }));
}

/** How many questions a candidate has answered, as their report counts them: it does so whether a model has read it or not. */
export function answeredOf({ state, figures }: Pick<Report, 'state' | 'figures'>): string {
  const { answered, of } = figures.questions;
  return state === 'none' ? t('compare.noReport') : t('compare.answeredOf', { answered, of });
}

export interface AnswersRow {
  same: string;
  text: string;
  /** For each candidate: what became of it; nothing where they were not asked. */
  cells: (QuestionReport | 'loading' | undefined)[];
}

/** Questions × candidates, in the order in which they first come: what each said to the same one. */
export function answersOf(reports: readonly (Report | undefined)[]): AnswersRow[] {
  const texts = new Map<string, string>();
  for (const report of reports)
    for (const { same, text, asked } of report?.questions ?? []) if (asked && !texts.has(same)) texts.set(same, text);
  return [...texts].map(([same, text]) => ({
    same,
    text,
    cells: reports.map((report) =>
      report ? report.questions.find((one) => one.same === same && one.asked) : 'loading',
    ),
  }));
}

/** Whether somebody has given a level: before that the answers are what there is to compare. */
export function hasLevels(reports: readonly (Report | undefined)[]): boolean {
  return reports.some((report) => report?.criteria.some(({ level }) => level !== null));
}
