import { expect, it } from 'vitest';
import { PAUSES } from '../preferences';
import { encodeRequest } from './control';
import { requestOf } from './usePauses';

/** C01: each choice is a request that the interviewer knows. */
it('asks for each choice by its name', () => {
  const sent = PAUSES.map((pauses) => new TextDecoder().decode(encodeRequest('p', requestOf(pauses))));
  expect(sent.map((text) => JSON.parse(text).request)).toEqual(['usual_pauses', 'longer_pauses', 'much_longer_pauses']);
});
