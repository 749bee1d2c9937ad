import { expect, it } from 'vitest';
import { isAnother, mayAs } from './may';

it('a role may do what lower ones may, and no more', () => {
  expect(mayAs('admin', 'recruiter')).toBe(true);
  expect(mayAs('recruiter', 'recruiter')).toBe(true);
  expect(mayAs('viewer', 'recruiter')).toBe(false);
  expect(mayAs('recruiter', 'admin')).toBe(false);
});

it('drafts of who was signed in before are forgotten, one’s own stay', () => {
  const kept = new Map<string, string>([['launch.form', 'typed']]);
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    clear: () => kept.clear(),
  };
  expect(isAnother('ana', storage)).toBe(false);
  expect(isAnother('ana', storage)).toBe(false);
  expect(kept.get('launch.form')).toBe('typed');
  expect(isAnother('ben', storage)).toBe(true);
  expect(kept.has('launch.form')).toBe(false);
  expect(isAnother('ben', storage)).toBe(false);
});
