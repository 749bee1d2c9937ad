import { describe, expect, it } from 'vitest';
import { checkPart, checkPlan, checkQuestion, mistakesInQuestions, mistakesInTopics, type TopicPart } from './check';
import { draftOf, type PlanDraft } from './draft';
import { setDropped } from './order';

const made = { signature: '', by: 'rules' as const, trouble: null };
const from = { documents: [], guide: '', role: '' };
const topic = { key: 'a', title: 'A', sub_goals: ['Why?'], probes: [], cues: [], signals: [] };

const questions = (...texts: string[]): PlanDraft => {
  const planned = texts.map((text, at) => ({ id: `q${at}`, text, priority: 'P1' as const }));
  return draftOf({ ...made, questions: planned, topics: [] }, from);
};
const topics = (count: number): PlanDraft =>
  draftOf(
    { ...made, questions: [], topics: Array.from({ length: count }, (_, at) => ({ ...topic, key: `${at}` })) },
    from,
  );

/** U02: every mistake of a plan has a sentence that says how to mend it. */
describe('a plan', () => {
  it.each([
    ['What is it?', undefined],
    [
      'Tell me about it.',
      '“Tell me about it.” does not end in a question mark. The interviewer may say it as it stands.',
    ],
    [' \n', 'Type the question, or drop it.'],
    [`${'😀'.repeat(499)}?`, undefined],
    ['x'.repeat(501), 'This has 501 characters; 500 are the most. Shorten it.'],
  ])('question %#', (text, sentence) => expect(checkQuestion(text)).toBe(sentence));

  it.each<[TopicPart, string, string | undefined]>([
    ['title', 'Tools', undefined],
    ['title', ' ', 'Type what the topic is about, or drop it.'],
    ['title', 'x'.repeat(81), 'This has 81 characters; 80 are the most. Shorten it.'],
    ['sub_goals', 'Why?\n\nHow?', undefined],
    ['sub_goals', '\n', 'Type at least one question that settles the topic.'],
    [
      'sub_goals',
      'Why?\nHow it goes',
      '“How it goes” does not end in a question mark. The interviewer may say it as it stands.',
    ],
    ['sub_goals', 'Why?\n'.repeat(11), 'These are 11 lines; 10 are the most. Take some out.'],
    ['probes', '', undefined],
    ['probes', 'Say more.', '“Say more.” does not end in a question mark. The interviewer may say it as it stands.'],
    ['cues', 'a sigh', undefined],
    ['signals', 'x'.repeat(300), undefined],
    [
      'signals',
      `${'x'.repeat(301)}`,
      `The line “${'x'.repeat(40)}…” has 301 characters; 300 are the most. Shorten it.`,
    ],
  ])('%s %#', (part, text, sentence) => expect(checkPart(part, text)).toBe(sentence));

  it('names the rows by the numbers that people see, without the dropped ones', () => {
    const plan = questions('One?', '', 'Three?', '');
    const rows = (draft: PlanDraft) => mistakesInQuestions(draft.questions).map(({ anchor, row }) => [anchor, row]);
    expect(rows(plan)).toEqual([
      ['question-q1', 'Question 2'],
      ['question-q3', 'Question 4'],
    ]);
    const left = { ...plan, questions: setDropped(plan.questions, 'q1', true) };
    expect(rows(left)).toEqual([['question-q3', 'Question 3']]);
  });

  it('finds each wrong part of a topic', () => {
    const wrong = topics(2).topics.map((draft) => (draft.id === '1' ? { ...draft, title: '', probes: 'No' } : draft));
    expect(mistakesInTopics(wrong).map(({ anchor, row }) => [anchor, row])).toEqual([
      ['topic-1', 'Topic 2'],
      ['topic-1-probes', 'Topic 2'],
    ]);
  });

  it('needs none, and of one that was made something has to be left', () => {
    const all = (count: number) => questions(...Array.from({ length: count }, () => 'Why?'));
    expect(checkPlan('questions', undefined)).toBeUndefined();
    expect(checkPlan('questions', all(40))).toBeUndefined();
    expect(checkPlan('questions', all(41))).toBe('These are 41 questions; 40 are the most. Drop some.');
    expect(checkPlan('questions', all(0))).toBe('No question is left. Add one, or discard the plan.');
    expect(checkPlan('questions', questions(''))).toBe('Type the question, or drop it.');
    expect(checkPlan('topics', topics(12))).toBeUndefined();
    expect(checkPlan('topics', topics(13))).toBe('These are 13 topics; 12 are the most. Drop some.');
    expect(checkPlan('topics', topics(0))).toBe('No topic is left. Add one, or discard the plan.');
  });
});
