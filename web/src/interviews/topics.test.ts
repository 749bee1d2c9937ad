import { expect, it } from 'vitest';
import type { PlanProgress, TopicProgress } from '../api/client';
import { budgetOf, consentOf, coverageOf, leftIn, moreTimeOf, phaseOf, richnessOf, slotsOf, turnsOf } from './topics';

const topic: TopicProgress = {
  key: 'tools',
  title: 'Tools',
  sub_goals: [
    { text: 'Which?', covered: true },
    { text: 'Why?', covered: false },
  ],
  turns: 0,
  share: 2,
  bonus: 0,
  score: 0,
};
const plan: PlanProgress = { documents: [], questions: [], topics: [], contact: [] };

/** L03: turns that rich answers brought are told apart from those that were planned, in the picture and in words. */
it.each<[Partial<TopicProgress>, string, string]>([
  [{}, 'left left', '0 turns, 2 planned'],
  [{ turns: 1 }, 'used left', '1 turn, 2 planned'],
  [{ turns: 3, bonus: 2 }, 'used used bonus-used bonus-left', '3 turns, 2 planned, 2 more given'],
  [{ turns: 4, bonus: 1 }, 'used used bonus-used beyond', '4 turns, 2 planned, 1 more given, 1 beyond that'],
  [{ turns: 3 }, 'used used beyond', '3 turns, 2 planned, 1 beyond that'],
])('%o: %s', (change, slots, words) => {
  expect(slotsOf({ ...topic, ...change }).join(' ')).toBe(slots);
  expect(turnsOf({ ...topic, ...change })).toBe(words);
});

it('counts the sub-goals that are covered', () => {
  expect(coverageOf(topic)).toBe('1 of 2 points covered');
});

/** L03: the words are those by which the interviewer decides; without an answer there is no judgement. */
it.each([
  [0, 0.9, 'No answers yet'],
  [1, 0.29, 'Thin answers'],
  [1, 0.3, 'Usual answers'],
  [1, 0.6, 'Usual answers'],
  [1, 0.61, 'Rich answers'],
])('%i turns, score %f: %s', (turns, score, words) => {
  expect(richnessOf({ ...topic, turns, score })).toBe(words);
});

/** L02: the whole budget, however odd what is left. */
it.each<[Partial<PlanProgress>, ReturnType<typeof budgetOf>]>([
  [
    { turns_total: 13, turns_left: 4 },
    { used: 9, left: 4, all: 13 },
  ],
  [{ turns_total: 13 }, { used: 0, left: 13, all: 13 }],
  [
    { turns_total: 13, turns_left: -2 },
    { used: 13, left: 0, all: 13 },
  ],
  [
    { turns_total: 13, turns_left: 20 },
    { used: 0, left: 13, all: 13 },
  ],
  [{ turns_total: null }, undefined],
  [{ turns_total: 0 }, undefined],
])('%o', (change, budget) => expect(budgetOf({ ...plan, ...change })).toEqual(budget));

/** L08: every phase that the interviewer shows has words; one of a later version is not hidden. */
it('says each phase in words', () => {
  const phases =
    'EXPLORING EXPLORING_DEEP TRANSITION DEEPENING DEEP_OFFER_ASK DATA_COLLECTION_CONSENT DATA_COLLECTION COMPLETE_WITHOUT_DATA FINAL_GOODBYE';
  const words = phases.split(' ').map(phaseOf);
  expect(new Set(words).size).toBe(9);
  expect(words.join()).not.toMatch(/[A-Z_]{3}/);
  expect(phaseOf('LATER')).toBe('LATER');
});

/** L05, L06: that nobody asked is no refusal. */
it('tells a refusal from what was not asked', () => {
  expect([true, false, null, undefined].map((extension) => moreTimeOf({ ...plan, extension }))).toEqual([
    'Accepted',
    'Not accepted',
    'Not asked',
    'Not asked',
  ]);
  expect([true, false, null].map((consent) => consentOf({ ...plan, consent }))).toEqual([
    'Agreed',
    'Not agreed',
    'Not asked',
  ]);
});

it('says why a field is empty', () => {
  const field = { key: 'email', title: 'E-mail' };
  expect(leftIn({ ...field, value: 'ada@example.org', missing: 'unknown' })).toBe('ada@example.org');
  expect(leftIn({ ...field, missing: 'declined' })).toBe('They keep it to themselves');
  expect(leftIn({ ...field, missing: 'unknown' })).toBe('They do not know it');
  expect(leftIn(field)).toBe('Not there');
});
