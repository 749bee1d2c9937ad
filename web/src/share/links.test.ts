import { expect, it } from 'vitest';
import { endOf } from './links';

it('a link works until its time is over or it is taken back', () => {
  expect(endOf({ revoked_at: null, expires_at: 10 }, 9)).toBe('works');
  expect(endOf({ revoked_at: null, expires_at: 10 }, 10)).toBe('over');
  expect(endOf({ revoked_at: 5, expires_at: 10 }, 9)).toBe('revoked');
});
