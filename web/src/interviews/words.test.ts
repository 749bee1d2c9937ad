import { expect, it } from 'vitest';
import type { InterviewRow } from '../api/client';
import { nameOf, stateOf } from './words';

const row: InterviewRow = {
  id: '0',
  name: 'Ilse Varga',
  role: 'Engineer',
  blueprint: 'two-stage',
  title: 'Two stages',
  state: 'waiting',
  end: null,
  made_at: 1,
  started_at: null,
  expires_at: 1000,
};

/** U04: where an interview stands is said in words that a recruiter knows. */
it.each<[Partial<InterviewRow>, string]>([
  [{}, 'Not started'],
  [{ expires_at: 999 }, 'Link expired'],
  [{ state: 'in_progress', expires_at: 999 }, 'In progress'],
  [{ state: 'completed', end: 'candidate_left' }, 'The candidate left'],
  [{ state: 'interrupted' }, 'Interrupted by a fault'],
])('%o: %s', (change, words) => expect(stateOf({ ...row, ...change }, 999)).toBe(words));

/** N01: who came by another frontend has the name that the room told, if it did. */
it('a foreign interview has the name that the room told', () => {
  expect(nameOf(row)).toBe('Ilse Varga');
  expect(nameOf({ ...row, name: 'Ada', expires_at: null })).toBe('Ada');
  expect(nameOf({ ...row, name: '', expires_at: null })).toBe('Somebody from another frontend');
  expect(nameOf({ ...row, name: 'there', expires_at: null })).toBe('Somebody from another frontend');
});
