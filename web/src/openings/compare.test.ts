import { expect, it } from 'vitest';
import type { CriterionReport, Report } from '../api/contract';
import { cellsOf } from './compare';

const criterion = (name: string, level: number | null) =>
  ({ name, priority: 'should', level, verdict: level ? 'met' : 'not_asked' }) as CriterionReport;
const report = (...criteria: CriterionReport[]) => ({ criteria }) as Report;

it('keeps the order of the opening, and what only older interviews were asked about', () => {
  const rows = cellsOf(
    [
      { name: 'Owns it', about: '', priority: 'must', weight: 3 },
      { name: 'Learns', about: '', priority: 'nice', weight: 1 },
    ],
    [report(criterion('Learns', 4), criterion('Old', 2)), undefined, report(criterion('Owns it', null))],
  );
  expect(rows.map(({ name, priority }) => [name, priority])).toEqual([
    ['Owns it', 'must'],
    ['Learns', 'nice'],
    ['Old', 'should'],
  ]);
  expect(rows[0]?.cells.map((cell) => (cell === 'loading' ? cell : cell?.verdict))).toEqual([
    undefined,
    'loading',
    'not_asked',
  ]);
  expect(rows[1]?.cells[0]).toMatchObject({ level: 4 });
});
