import { expect, it } from 'vitest';
import { setDropped } from '../launch/plan/order';
import { mendsOf, mistakesIn } from './check';
import { completed, type Draft, draftOf, EMPTY, formOf, type KeptDraft } from './draft';

const draft: Draft = draftOf({
  ...EMPTY,
  title: 'Backend',
  role: 'Backend engineer',
  blueprint: 'mock-interview',
  questions: [
    { text: 'What went wrong?', wording: 'verbatim', follow_ups: 1 },
    { text: 'And then', wording: 'guide', follow_ups: 0 },
  ],
  criteria: [
    { name: 'Owns it', about: '', priority: 'must', weight: 3 },
    { name: 'Owns it', about: '', priority: 'nice', weight: 1 },
  ],
  knowledge: [{ question: 'Remote?', answer: '' }],
});

it('finds what is wrong row by row, in the order of the page', () => {
  const found = mistakesIn(draft);
  expect(found.map(({ anchor }) => anchor)).toEqual(['own-row2', 'criterion-row2', 'known-row1-answer']);
  expect(found[0]?.label).toBe('Question 2');
});

it('neither checks nor sends what was dropped', () => {
  const less = {
    ...draft,
    questions: setDropped(draft.questions, 'row2', true),
    criteria: setDropped(draft.criteria, 'row1', true),
    knowledge: setDropped(draft.knowledge, 'row1', true),
  };
  expect(mistakesIn(less)).toEqual([]);
  expect(formOf(less).questions).toEqual([{ text: 'What went wrong?', wording: 'verbatim', follow_ups: 1 }]);
  expect(formOf(less).knowledge).toEqual([]);
});

/** A reason goes along where there is one; an empty one is none. */
it('sends why a question has to be asked', () => {
  const [one, other] = draft.questions;
  if (!one || !other) throw new Error('two questions are in the draft');
  const questions = [
    { ...one, reason: ' By law. ' },
    { ...other, reason: ' ' },
  ];
  expect(formOf({ ...draft, questions }).questions.map(({ reason }) => reason)).toEqual(['By law.', undefined]);
});

it('puts the server’s errors beside the rows that are left', () => {
  const less = { ...draft, questions: setDropped(draft.questions, 'row1', true) };
  const found = mendsOf(
    [
      { field: 'questions.0.text', message: 'a' },
      { field: 'criteria.1.about', message: 'b' },
      { field: 'length_min', message: 'c' },
      { field: 'unheard_of', message: 'd' },
      { field: 'questions.0.reason', message: 'e' },
    ],
    less,
  );
  expect(found.map(({ anchor }) => anchor)).toEqual([
    'own-row2',
    'criterion-row2-about',
    'length_min',
    'main',
    'own-row2-reason',
  ]);
});

it('tells how long a text is and may be', () => {
  const long = { ...draft, title: 'x'.repeat(81), job_description: 'x'.repeat(20_001) };
  const messages = mistakesIn(long).map(({ message }) => message);
  expect(messages[0]).toContain('81 characters; 80 are the most');
  expect(messages[1]).toContain('20,001 characters');
});

it('fills in what a draft of an older page lacks', () => {
  const { next: _, ...older } = draft;
  const kept = completed({ new: { draft: older, base: null, changed_at: 5 } as unknown as KeptDraft });
  expect(kept.new?.draft.next).toBe('');
  expect(kept.new?.draft.title).toBe('Backend');
  expect(kept.new?.changed_at).toBe(5);
});
