import { expect, it } from 'vitest';
import { attemptWords, grouped } from './attempts';
import { mailShape, mailWords } from './mail';

const row = (id: string, candidate: string, number = 1, of = 3) => ({ id, attempt: { candidate, number, of } });

it('shows the attempts of one candidate beside one another', () => {
  const rows = [row('c2', 'ada', 2), row('b', 'bo'), row('c1', 'ada'), row('d', 'cy')];
  expect(grouped(rows).map(({ id }) => id)).toEqual(['c2', 'c1', 'b', 'd']);
  expect(grouped([])).toEqual([]);
});

it('names an attempt only where there are several', () => {
  expect(attemptWords(row('a', 'ada', 2))).toBe('Attempt 2 of 3');
  expect(attemptWords(row('a', 'ada', 1, 1))).toBe('');
  expect(attemptWords(row('a', 'ada', 2, 1))).toBe('Attempt 2 of 2');
});

it('says what became of a mail, and makes what failed stand out', () => {
  expect(mailWords({ state: 'sent', problem: '' }, '5 Dec')).toBe('Mail sent 5 Dec');
  const failed = { state: 'failed', problem: 'Refused (550).' } as const;
  expect([mailWords(failed, ''), mailShape(failed)]).toEqual(['Mail failed: Refused (550).', 'status bad']);
  const again = { state: 'waiting', problem: 'Away.' } as const;
  expect([mailWords(again, ''), mailShape(again)]).toEqual([
    'Mail not sent yet: Away. It is tried again.',
    'status warn',
  ]);
  expect(mailWords({ state: 'waiting', problem: '' }, '')).toBe('Mail is being sent');
});
