import { expect, it } from 'vitest';
import { whatIs } from './files';

/** A recruiter need not know what a file's name means. */
it.each([
  ['transcript.json', 'The rounds: question, answer, facts'],
  ['extracted_facts.json', 'What the answers say, as facts'],
  ['interview_summary.txt', 'The summary, as text'],
  ['question_backlog.json', 'The questions, and what became of them'],
  ['rules.json', 'Data for programs'],
  ['notes.txt', 'Text'],
  ['strange', 'A file'],
])('%s: %s', (name, words) => expect(whatIs(name)).toBe(words));
