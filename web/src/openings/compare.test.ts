import { expect, it } from 'vitest';
import type { CriterionReport, QuestionReport, Report } from '../api/contract';
import { answeredOf, answersOf, cellsOf, hasLevels } from './compare';

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

/** A candidate who answered all is not the one with no evidence: the figure is that of the report. */
it('tells how many questions were answered, and not how many criteria have evidence', () => {
  const questions = { of: 3, asked: 3, answered: 3, partly: 0 };
  const figures = { questions, replies: {} as Report['figures']['replies'] };
  expect(answeredOf({ state: 'ready', figures })).toBe('3 of 3');
  expect(answeredOf({ state: 'making', figures })).toBe('3 of 3');
  expect(answeredOf({ state: 'none', figures })).toBe('No report');
});

it('puts what each said to the same question beside each other', () => {
  const question = (text: string, same: string, quote: string, asked = true) =>
    ({ text, same, asked, quotes: quote ? [{ quote }] : [] }) as unknown as QuestionReport;
  const said = (...questions: QuestionReport[]) => ({ questions, criteria: [] }) as unknown as Report;
  const rows = answersOf([
    said(question('Hello Ada, why us?', 'hello why us', 'For the maps.'), question('Since when?', 'since when', '')),
    undefined,
    said(
      question('Hello Bo, why us?', 'hello why us', 'For the pay.'),
      question('Since when?', 'since when', '', false),
    ),
  ]);
  expect(rows.map(({ text }) => text)).toEqual(['Hello Ada, why us?', 'Since when?']);
  const quotes = rows[0]?.cells.map((cell) => (cell === 'loading' ? cell : cell?.quotes[0]?.quote));
  expect(quotes).toEqual(['For the maps.', 'loading', 'For the pay.']);
  expect(rows[1]?.cells[2]).toBeUndefined();
});

it('compares levels first where there are any', () => {
  expect(hasLevels([report(criterion('Learns', null)), undefined])).toBe(false);
  expect(hasLevels([report(criterion('Learns', null)), report(criterion('Learns', 4))])).toBe(true);
});
