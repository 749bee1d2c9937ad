import { expect, it } from 'vitest';
import { Failure } from '../../api/client';
import { vainAfter } from './useStanding';

const failed = (status: number) => new Failure(status, { message: '', fields: [] });

/** C02: a server that is not there is not one that refuses, and a browser without a network cannot tell. */
it.each([
  [undefined, true, 0],
  [failed(0), true, 4],
  [failed(502), true, 4],
  [failed(0), false, 0],
  [failed(404), true, 0],
  [failed(500), true, 0],
])('%o, online %s', (failure, online, vain) => expect(vainAfter(3, failure, online)).toBe(vain));
