import type { Report } from '../api/contract';
import { inParts } from '../texts/server';

/** How many criteria have evidence and a level, and who gave it: the same line wherever it stands. */
export function OverallLine({ overall: { words, judged_by } }: Pick<Report, 'overall'>) {
  return <p className="small">{inParts([words, judged_by].filter(Boolean).join(' '))}</p>;
}
