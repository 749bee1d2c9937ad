import { expect, it } from 'vitest';
import { accommodated, preferencesFrom } from './preferences';

const usual = { singleKeys: true, captions: true, textSize: 'usual', time: true, types: false, pauses: 'usual' };

/** C01: what a browser has kept is read as far as it makes sense. */
it.each([
  [null, usual],
  ['', usual],
  ['null', usual],
  ['[]', usual],
  ['{"singleKeys":', usual],
  ['{"singleKeys":false,"textSize":"largest"}', { ...usual, singleKeys: false, textSize: 'largest' }],
  ['{"captions":0,"textSize":"huge","types":true}', { ...usual, types: true }],
])('%s', (kept, expected) => expect(preferencesFrom(kept)).toEqual(expected));

/** C01: what whoever invited them has set is added to what this browser knows, and takes nothing away. */
it.each([
  [
    { captions: false, types: true, pauses: 'longer' },
    { captions: false, types: true, pauses: 'longer' },
  ],
  [
    { captions: true, types: false, pauses: 'usual' },
    { captions: true, types: false, pauses: 'usual' },
  ],
] as const)('%o is added', (set, expected) => {
  const known = preferencesFrom('{"captions":false}');
  expect(accommodated(known, set)).toEqual({ ...known, ...expected });
  const chosen = { ...known, types: true, captions: true, pauses: 'much_longer' as const };
  expect(accommodated(chosen, set)).toEqual(chosen);
});
