import { expect, it } from 'vitest';
import type { InterviewRow, State } from '../api/contract';
import { caughtUp, patched, type Shown, waitOf, worthSaying } from './live';

function row(id: string, state: State, more: Partial<InterviewRow> = {}): InterviewRow {
  return {
    id,
    name: id,
    email: '',
    opening: null,
    opening_title: '',
    role: '',
    blueprint: 'mock-interview',
    title: 'Interview',
    state,
    end: null,
    outcome: null,
    trial: false,
    made_at: 10,
    started_at: null,
    expires_at: null,
    updated_at: 10,
    stage: null,
    last_line: null,
    minutes: null,
    parts: 5,
    unanswered: null,
    simulated: false,
    decision: null,
    mail: null,
    appointment: null,
    attempt: { candidate: 'a', number: 1, of: 1 },
    attention: null,
    ...more,
  };
}

const rows = [row('ana', 'in_progress'), row('ben', 'invited')];
const shown: Shown = {
  page: { rows, total: 2, counts: { in_progress: 1, invited: 1 }, next: null },
  fresh: [],
  at: 100,
};

it('changes a row in place, with the counts', () => {
  const { page, fresh } = patched(shown, row('ana', 'completed', { updated_at: 200 }), {});
  expect(page.rows.map(({ id, state }) => [id, state])).toEqual([
    ['ana', 'completed'],
    ['ben', 'invited'],
  ]);
  expect(page.counts).toEqual({ in_progress: 0, completed: 1, invited: 1 });
  expect(fresh).toEqual([]);
});

it('lets a new row wait, once', () => {
  const once = patched(shown, row('cem', 'invited', { made_at: 200 }), {});
  expect(once.page.rows).toBe(shown.page.rows);
  expect(once.fresh).toEqual(['cem']);
  expect(once.page.counts.invited).toBe(2);
  expect(patched(once, row('cem', 'waiting', { made_at: 200 }), {}).fresh).toEqual(['cem']);
});

it('leaves out what is on another part of the list or was not asked for', () => {
  expect(patched(shown, row('old', 'paused'), {}).fresh).toEqual([]);
  const made = { made_at: 200 };
  expect(patched(shown, row('dan', 'invited', made), { state: 'paused' }).fresh).toEqual([]);
  expect(patched(shown, row('dan', 'invited', made), { search: 'eve' }).fresh).toEqual([]);
  expect(patched(shown, row('dan', 'invited', made), { opening: 'o1' }).fresh).toEqual([]);
  expect(patched(shown, row('old', 'paused'), { state: 'paused' }).fresh).toEqual(['old']);
});

it('catches up without moving a row', () => {
  const page = { rows: [row('eve', 'invited'), row('ben', 'waiting')], total: 3, counts: { waiting: 1 }, next: null };
  const caught = caughtUp(shown, page, 300);
  expect(caught.page.rows.map(({ id, state }) => [id, state])).toEqual([
    ['ana', 'in_progress'],
    ['ben', 'waiting'],
  ]);
  expect(caught.fresh).toEqual(['eve']);
  expect(caught.page.total).toBe(3);
});

it('tries again after 1, 2, 4 … 30 s, not all at once', () => {
  expect([0, 1, 2, 9].map((tries) => waitOf(tries, 0.5))).toEqual([1000, 2000, 4000, 30_000]);
  expect(waitOf(0, 0)).toBe(750);
  expect(waitOf(99, 1)).toBe(37_500);
});

it('tells a screen reader of stages, seldom', () => {
  const before = row('ana', 'in_progress', { stage: 'Greeting' });
  const now = row('ana', 'in_progress', { stage: 'Closing' });
  expect(worthSaying(before, now, 0, 60_000)).toBe('stage');
  expect(worthSaying(before, now, 50_000, 60_000)).toBeUndefined();
  expect(worthSaying(before, before, 0, 60_000)).toBeUndefined();
  expect(worthSaying(undefined, now, 0, 60_000)).toBeUndefined();
});
