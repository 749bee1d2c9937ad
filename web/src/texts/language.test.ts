import { expect, it } from 'vitest';
import { firstOf, languageBy, localeOf, readerOf, tokenOf } from './language';

it('takes the first language of the browser that the pages are in', () => {
  expect(firstOf(['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(firstOf(['IT'])).toBe('it');
  expect(firstOf(['fr'])).toBe('en');
  expect(firstOf([])).toBe('en');
});

it('knows the codes of its languages, and nothing else', () => {
  expect(languageBy('de')).toBe('de');
  for (const other of ['fr', '', null, undefined, 'constructor']) expect(languageBy(other)).toBeUndefined();
});

/** Somebody in Austria or Britain reads dates as they write them. */
it('writes dates as the browser does in that language', () => {
  expect(localeOf('de', ['en-US', 'de-AT'])).toBe('de-AT');
  expect(localeOf('en', ['en-GB'])).toBe('en-GB');
  expect(localeOf('it', ['en-GB'])).toBe('it');
});

it('tells candidates from recruiters by the address', () => {
  expect(readerOf('/i/abc')).toBe('candidate');
  expect(readerOf('/i/abc/after')).toBe('candidate');
  expect(readerOf('/interviews/abc')).toBe('recruiter');
  expect(tokenOf('/i/a%20b/after')).toBe('a b');
  expect(tokenOf('/i/%E0')).toBe('%E0');
  expect(tokenOf('/')).toBeUndefined();
});
