import { expect, it } from 'vitest';
import type { QuestionProgress, Transcript } from '../api/client';
import { askedNow, countsOf, originOf, statusOf, type Thread, threadsOf } from './backlog';

const question = (id: string, change: Partial<QuestionProgress> = {}): QuestionProgress => ({
  id,
  text: `What about ${id}?`,
  priority: 'P1',
  status: 'open',
  origin: 'plan',
  facts: [],
  ...change,
});
const followUp = (id: string, parent: string) => question(id, { origin: 'follow_up', parent });
const discovered = (id: string, parent?: string) => question(id, { origin: 'discovered', parent });

/** The ids, follow-ups in brackets behind their parent. */
const drawn = (threads: readonly Thread[]): string =>
  threads
    .map(({ question, followUps }) => question.id + (followUps.length > 0 ? `(${drawn(followUps)})` : ''))
    .join(' ');

/** K01: follow-ups come last in the list, and stand below their parents on the page; no question is lost or doubled. */
it.each<[QuestionProgress[], string]>([
  [[question('a'), question('b'), followUp('c', 'a')], 'a(c) b'],
  [[question('a'), followUp('b', 'a'), followUp('c', 'b'), followUp('d', 'a')], 'a(b(c) d)'],
  [[question('a'), question('b'), discovered('c', 'a')], 'a b c'],
  [[question('a'), discovered('b', 'a'), followUp('c', 'b')], 'a b(c)'],
  [[question('a'), followUp('b', 'gone')], 'a b'],
  [[followUp('a', 'b'), followUp('b', 'a'), followUp('c', 'c')], 'a(b) c'],
  [[], ''],
])('%#: follow-ups stand below their parents', (questions, expected) => {
  expect(drawn(threadsOf(questions))).toBe(expected);
});

/** Where a question comes from is told with the question that led to it. */
it('tells where a question comes from', () => {
  const [a, b, c] = threadsOf([question('a'), discovered('b', 'a'), discovered('c')]);
  const [d] = threadsOf([question('a'), followUp('d', 'a')])[0]?.followUps ?? [];
  const words = [a, b, c, d].map((thread) => thread && originOf(thread));
  expect(words).toEqual([
    'From the plan',
    'Brought up by the answer to “What about a?”',
    'Brought up by an answer',
    'Follow-up of “What about a?”',
  ]);
  expect(originOf({ question: followUp('x', 'gone'), parent: undefined, followUps: [] })).toBe('Follow-up');
});

/** The line above the questions counts what matters, and leaves out what is none. */
it.each<[Partial<QuestionProgress>[], string]>([
  [[{ status: 'answered' }, { status: 'open' }], '1 of 2 answered'],
  [[{ priority: 'P0' }, { priority: 'P0', status: 'asked' }], '0 of 2 answered, 1 that must be asked is open'],
  [[{ priority: 'P0' }, { priority: 'P0' }], '0 of 2 answered, 2 that must be asked are open'],
  [
    [{ priority: 'P0', status: 'answered_partial' }, { status: 'unknown' }],
    '0 of 2 answered, 1 in part, 1 not known, all that must be asked were asked',
  ],
])('%#: %o', (changes, line) => {
  expect(countsOf(changes.map((change, n) => question(String(n), change)))).toBe(line);
});

const said = (speaker: 'interviewer' | 'candidate', text: string): Transcript['turns'][number] => ({
  speaker,
  text,
  stage: 'x',
  at_ms: 0,
  cut: false,
});
const asked = (id: string) => question(id, { status: 'asked', asked_as: `And ${id}?` });

/** One question stands out: the one that was asked last, not one that was left without an answer before. */
it('knows which question is asked now', () => {
  const turns = [said('interviewer', 'Well. And b?'), said('candidate', 'And c?'), said('interviewer', 'And a?')];
  expect(askedNow([asked('a'), asked('b')], turns)).toBe('a');
  expect(askedNow([asked('b'), asked('c')], turns)).toBe('b');
  expect(askedNow([question('a'), asked('b')], [])).toBe('b');
  expect(askedNow([asked('a'), question('b', { status: 'asked' })], [])).toBe('b');
  expect(askedNow([question('a'), question('b', { status: 'answered' })], turns)).toBeUndefined();
});

/** Each state has a word and a shape of its own, and only the question of now is shown as such. */
it('has a word and a shape for each state', () => {
  const all = (['open', 'asked', 'answered_partial', 'answered', 'unknown'] as const).map((each) =>
    statusOf(each, false),
  );
  expect(new Set(all.map(([word]) => word)).size).toBe(5);
  expect(new Set(all.map(([, shape]) => shape)).size).toBe(5);
  expect(statusOf('asked', true)).toEqual(['Asked now', 'status live']);
  expect(statusOf('open', true)).toEqual(statusOf('open', false));
});
