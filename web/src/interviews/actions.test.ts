import { expect, it } from 'vitest';
import type { InterviewRow, Outcome, State } from '../api/contract';
import { actionsOf, greyedOf } from './actions';
import { attentionOf, detailOf, isToDecide, nameOf, shapeOf, standsOf, wordOf } from './states';

const row = (state: State, more: Partial<InterviewRow> = {}) =>
  ({ state, opening: 'o1', expires_at: 5, end: null, stage: null, last_line: null, parts: 5, ...more }) as InterviewRow;
const day = () => '5 Dec';

it('offers what can be done in each state, and nothing that is refused', () => {
  expect(actionsOf(row('in_progress'), true)).toEqual(['listen', 'note', 'end']);
  expect(actionsOf(row('in_progress'), false)).toEqual(['listen', 'end']);
  expect(actionsOf(row('invited'), true)).toEqual(['link', 'cancel', 'delete']);
  expect(actionsOf(row('completed'), true)).toEqual(['again', 'delete']);
  expect(actionsOf(row('in_progress', { simulated: true }), true)).toEqual(['end']);
  expect(actionsOf(row('completed', { simulated: true }), true)).toEqual(['delete']);
  expect(actionsOf(row('expired'), true)).toContain('link');
  expect(actionsOf(row('invited', { opening: null, expires_at: null }), true)).toEqual(['cancel', 'delete']);
});

/** What cannot be used is there from the start, with its reason; never both. */
it('shows greyed what would need a model', () => {
  expect(greyedOf(row('in_progress'), false)).toEqual(['note']);
  expect(greyedOf(row('paused'), false)).toEqual(['note']);
  expect(greyedOf(row('in_progress'), true)).toEqual([]);
  expect(greyedOf(row('in_progress', { simulated: true }), false)).toEqual([]);
  expect(greyedOf(row('completed', { outcome: 'completed' }), false)).toEqual([]);
});

it('does not hide that a part went unanswered', () => {
  const done = row('completed', { outcome: 'completed', unanswered: 1 });
  expect(standsOf(done, day)).toBe('Completed, 1 of 5 parts unanswered');
  expect(standsOf(row('completed', { outcome: 'completed', unanswered: 0 }), day)).toBe('Completed');
  expect(standsOf(row('completed', { outcome: 'candidate_ended', unanswered: 3 }), day)).toBe(
    'Ended by the candidate, 3 of 5 parts unanswered',
  );
  expect(detailOf(row('invited'), day)).toBe('The link works until 5 Dec');
});

/** One glance tells what was completed from what ended otherwise. */
it('says “completed” of what was completed alone', () => {
  const ends: Outcome[] = [
    'candidate_ended',
    'candidate_left',
    'candidate_silent',
    'no_show',
    'out_of_time',
    'max_turns',
    'abuse',
    'technical',
    'operator',
    'interrupted',
  ];
  const words = ends.map((outcome) => wordOf({ state: 'completed', outcome }));
  expect(new Set([...words, 'Completed']).size).toBe(ends.length + 1);
  for (const outcome of ends) expect(shapeOf({ state: 'completed', outcome }), outcome).not.toBe('status ok');
  expect(wordOf({ state: 'completed', outcome: 'completed' })).toBe('Completed');
  const shapes = ['completed', 'candidate_ended', 'operator', 'out_of_time', 'interrupted', 'no_show'] as const;
  expect(new Set(shapes.map((outcome) => shapeOf({ state: 'completed', outcome }))).size).toBe(shapes.length);
});

it('leaves nothing to decide where somebody has, or nobody came', () => {
  expect(isToDecide(row('completed'))).toBe(true);
  expect(isToDecide(row('completed', { decision: 'hold' }))).toBe(false);
  expect(isToDecide(row('expired'))).toBe(false);
  expect(isToDecide(row('completed', { simulated: true }))).toBe(false);
  expect(isToDecide(row('completed', { trial: true }))).toBe(false);
});

it('says what was noticed in words, also what it does not know', () => {
  expect(attentionOf('distress')).not.toBe('distress');
  expect(attentionOf('asks for a person')).toBe('asks for a person');
});

/** N01: who came by another frontend has the name that the room told, if it did. */
it('a foreign interview has the name that the room told', () => {
  expect(nameOf({ name: 'Ilse Varga', expires_at: 5 })).toBe('Ilse Varga');
  expect(nameOf({ name: 'Ada', expires_at: null })).toBe('Ada');
  expect(nameOf({ name: '', expires_at: null })).toBe('Somebody from another frontend');
  expect(nameOf({ name: 'there', expires_at: null })).toBe('Somebody from another frontend');
  expect(nameOf({ name: 'there', expires_at: 5 })).toBe('there');
});
