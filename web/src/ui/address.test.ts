import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addressFault } from './address';

const rows = readFileSync('../crates/interview/tests/addresses.txt', 'utf8')
  .split('\n')
  .filter((row) => row !== '')
  .map((row) => [row.slice(row.indexOf(' ') + 1), row.slice(0, row.indexOf(' '))] as const);

/** L06, U02: the browser and the server have one check of addresses, by one table. */
describe('an address', () => {
  it('has a table', () => expect(rows.length).toBeGreaterThan(30));
  it.each(rows)('%j is %s', (text, wanted) => expect(addressFault(text) ?? 'ok').toBe(wanted));
});
