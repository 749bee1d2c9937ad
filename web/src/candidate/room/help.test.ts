import { describe, expect, it } from 'vitest';
import {
  type Help,
  type HelpEvent,
  type HelpRequest,
  helpAfter,
  helpSentenceOf,
  isOffered,
  NOTHING_ASKED,
} from './help';

const helped = (...events: HelpEvent[]): Help => events.reduce(helpAfter, NOTHING_ASKED);
const press = (request: HelpRequest, id = 'b1', isThere = true): HelpEvent => ({
  kind: 'pressed',
  id,
  request,
  isThere,
});
const answer = (answer: 'accepted' | 'refused', id = 'b1'): HelpEvent => ({
  kind: 'answered',
  answer: { id, answer, reason: '' },
});

/** C02: a press is told of at once, before the interviewer answers, and then what came of it. */
describe('a button', () => {
  it('says so before it is answered', () => expect(helped(press('skip')).asked?.state).toBe('sent'));
  it('says that there is nobody', () => expect(helped(press('repeat', 'b1', false)).asked?.state).toBe('absent'));
  it.each(['accepted', 'refused'] as const)('is %s', (what) =>
    expect(helped(press('rephrase'), answer(what)).asked?.state).toBe(what),
  );
  it('takes no answer to an older press', () => {
    const help = helped(press('repeat', 'b1'), press('skip', 'b2'), answer('refused', 'b1'));
    expect(help.asked).toEqual({ id: 'b2', request: 'skip', state: 'sent' });
  });
  it('says when no answer comes, and not after one', () => {
    expect(helped(press('repeat'), { kind: 'waited', id: 'b1' }).asked?.state).toBe('unanswered');
    expect(helped(press('repeat'), answer('accepted'), { kind: 'waited', id: 'b1' }).asked?.state).toBe('accepted');
  });
  it('is quiet again after a while, but not before it is answered', () => {
    expect(helped(press('repeat'), { kind: 'faded', id: 'b1' }).asked).toBeDefined();
    expect(helped(press('repeat'), answer('accepted'), { kind: 'faded', id: 'b1' }).asked).toBeUndefined();
  });
});

/** C02, R06: paused is a state that lasts until going on is accepted, or there is no pause to end. */
describe('a pause', () => {
  const paused = [press('pause'), answer('accepted')];
  it('begins when it is accepted', () => {
    expect(helped(press('pause')).isPaused).toBe(false);
    expect(helped(press('pause'), answer('refused')).isPaused).toBe(false);
    expect(helped(...paused).isPaused).toBe(true);
  });
  it('outlasts another request that is refused', () =>
    expect(helped(...paused, press('repeat', 'b2'), answer('refused', 'b2')).isPaused).toBe(true));
  it.each(['accepted', 'refused'] as const)('ends when going on is %s', (what) =>
    expect(helped(...paused, press('resume', 'b2'), answer(what, 'b2')).isPaused).toBe(false),
  );
});

/** Case 5: other words are offered only where there are some; who does not tell what there is takes everything. */
it('offers what the interviewer tells', () => {
  expect(isOffered('rephrase', 'repeat more_time skip')).toBe(false);
  expect(isOffered('repeat', 'repeat more_time skip')).toBe(true);
  expect(isOffered('rephrase', 'repeat rephrase more_time skip')).toBe(true);
  expect(isOffered('rephrase', undefined)).toBe(true);
});

it('a refusal is said in words', () => {
  expect(helpSentenceOf({ id: 'b1', request: 'skip', state: 'refused' }, 'Alba')).toContain('Alba');
});
