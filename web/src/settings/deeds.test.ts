import { expect, it } from 'vitest';
import { aboutOf, dayFrom, detailOf, nameOfActor } from './deeds';

/** What is decided is called as the button is; a hash is for programs. */
it('says details in the words of the pages', () => {
  expect(detailOf({ deed: 'decided', detail: 'reject' })).toBe('Not now');
  expect(detailOf({ deed: 'decided', detail: 'advance' })).toBe('Move on');
  expect(detailOf({ deed: 'changed_account', detail: 'reject' })).toBe('reject');
  expect(detailOf({ deed: 'decided', detail: 'constructor' })).toBe('constructor');
  expect(detailOf({ deed: 'forgot_deeds', detail: 'c0ffee' })).toBe('');
});

it('tells a key from a person of the same name', () => {
  expect(nameOfActor('person', 'Ada')).toBe('Ada');
  expect(nameOfActor('key', 'Ada')).not.toBe('Ada');
  expect(nameOfActor('key', 'Ada')).toContain('Ada');
});

/** Names instead of ids, and a link where there is a page. */
it('names what it was done to', () => {
  const object = '0123456789abcdef0123456789abcdef';
  const interview = { kind: 'interview' as const, name: 'Ilse Varga' };
  expect(aboutOf({ object, about: interview })).toEqual({ name: 'Ilse Varga', href: `/interviews/${object}` });
  expect(aboutOf({ object, about: { kind: 'account', name: 'Bo' } })).toEqual({ name: 'Bo' });
  expect(aboutOf({ object, about: null })).toEqual({ name: '01234567…' });
  expect(aboutOf({ object: 'mock-interview', about: null })).toEqual({ name: 'mock-interview' });
});

it('knows where a day begins and ends here', () => {
  const from = dayFrom('2026-11-28', 0);
  expect(from).toBe(new Date(2026, 10, 28).getTime());
  expect(dayFrom('2026-12-31', 1)).toBe(new Date(2027, 0, 1).getTime());
  expect(dayFrom('', 0)).toBeUndefined();
});
