import { describe, expect, it } from 'vitest';
import { type Help, type HelpEvent, type HelpRequest, helpAfter, helpSentenceOf, NOTHING_ASKED } from './help';

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

/** C02, T03: time to think lasts until it is used, or something else is asked for. */
it('holds while there is time', () => {
  const held = [press('more_time'), answer('accepted')];
  expect(helped(...held).isHeld).toBe(true);
  expect(helped(...held, { kind: 'released' }).isHeld).toBe(false);
  expect(helped(...held, press('skip', 'b2'), answer('accepted', 'b2')).isHeld).toBe(false);
  expect(helped(...held, press('skip', 'b2'), answer('refused', 'b2')).isHeld).toBe(true);
});

it('a refusal is said in words', () => {
  expect(helpSentenceOf({ id: 'b1', request: 'more_time', state: 'refused' }, 'Alba')).toContain('once');
  expect(helpSentenceOf({ id: 'b1', request: 'skip', state: 'refused' }, 'Alba')).toContain('Alba');
});
