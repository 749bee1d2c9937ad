import type { Criterion, CriterionReport, Need, Report } from '../api/contract';

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
