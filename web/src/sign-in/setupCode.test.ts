import { expect, it } from 'vitest';
import { setupCodeIn, tokenIn } from './setupCode';

it('takes the code and the token from the part of an address that no server sees', () => {
  expect(setupCodeIn('#setup=AbC-12')).toBe('AbC-12');
  expect(setupCodeIn('#main')).toBe('');
  expect(setupCodeIn('')).toBe('');
  expect(tokenIn('#a1B2')).toBe('a1B2');
  expect(tokenIn('')).toBe('');
});
