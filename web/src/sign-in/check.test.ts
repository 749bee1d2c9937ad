import { expect, it } from 'vitest';
import { checkEmail, checkName, checkPassword } from './check';

it('says which part of an address is missing', () => {
  expect(checkEmail(' ana@example.org ')).toBeUndefined();
  expect(checkEmail('ana.example.org')).toContain('no @');
  expect(checkEmail('@example.org')).toContain('before the @');
  expect(checkEmail('ana@')).toContain('after the @');
  expect(checkEmail('ana@b@c')).toContain('more than one @');
  expect(checkEmail('a na@b')).toContain('space');
  expect(checkEmail('ana@example')).toContain('after the @');
  expect(checkEmail('ana@exa_mple.org')).toContain('No mail arrives');
  expect(checkEmail("mary.o'brien@example.ie")).toBeUndefined();
});

it('tells how long a password is and has to be', () => {
  expect(checkPassword('eleven char')).toContain('11 characters');
  expect(checkPassword('twelve chars')).toBeUndefined();
  expect(checkPassword('x'.repeat(201))).toContain('200 are the most');
});

it('needs a name of at most 80 letters', () => {
  expect(checkName('  ')).toBeDefined();
  expect(checkName('é'.repeat(80))).toBeUndefined();
  expect(checkName('é'.repeat(81))).toContain('81');
});
