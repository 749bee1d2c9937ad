import { expect, it } from 'vitest';
import { preferencesFrom } from './preferences';

const usual = { singleKeys: true, captions: true, textSize: 'usual', time: true, types: false };

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
