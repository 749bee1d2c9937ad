import { describe, expect, it } from 'vitest';
import type { ReviewedAnswer, Try } from '../../api/client';
import { adviceOf, factsOf, toldOf, triesAt } from './review';

const answer: ReviewedAnswer = {
  question: 2,
  asked: 'What did you do?',
  stage: 'Past',
  parts: [
    { part: 'situation', quote: 'last year' },
    { part: 'task', quote: null },
    { part: 'own_part', quote: 'I built it' },
    { part: 'result', quote: null },
  ],
  seconds: 40,
  words: 90,
  words_per_minute: 135,
  fillers: 1,
  suggestions: [],
};

/** C03: facts are told as counts; what was typed has neither length nor pace. */
describe('what was in an answer', () => {
  it('counts the parts that were told', () => expect(toldOf(answer)).toBe(2));

  it('tells facts', () =>
    expect(factsOf(answer)).toEqual(['40 s', '90 words', '135 words a minute', '1 “um” or the like']));

  it('leaves out what typing does not have', () =>
    expect(factsOf({ ...answer, seconds: 0, words_per_minute: null, fillers: 0 })).toEqual(['90 words']));

  it('takes the words of a model before ours', () => {
    expect(adviceOf({ advice: 'model', text: 'Say when it was.', quote: 'it was' })).toBe('Say when it was.');
    expect(adviceOf({ advice: 'add_result', text: null, quote: 'it was' })).toContain('what came of it');
  });

  it('shows the tries at one question, without links that nobody has used', () => {
    const one = (question: number, state: Try['state'], has: boolean): Try => ({
      question,
      state,
      at: 1,
      answer: has ? answer : null,
    });
    const tries = [one(2, 'completed', true), one(3, 'completed', true), one(2, 'waiting', false)];
    expect(triesAt(tries, 2)).toEqual([tries[0]]);
  });
});
