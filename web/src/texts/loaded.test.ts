import { afterEach, expect, it } from 'vitest';
import { timeOf, whenOf } from '../ui/time';
import { language, loadTexts, locale, t } from './index';

afterEach(() => loadTexts('en'));

/** Texts, plurals, numbers and dates are all of one language. */
it('counts and dates in the language that is loaded', async () => {
  const noon = new Date(2026, 10, 29, 13, 5).getTime();
  await loadTexts('de', ['de-DE']);
  expect([language(), locale()]).toEqual(['de', 'de-DE']);
  expect(t('points.words', { count: 12345 })).toBe('12.345 Wörter');
  expect(t('points.words', { count: 1 })).toBe('1 Wort');
  expect(whenOf(noon)).toBe('29.11.2026, 13:05');
  await loadTexts('it', ['it-IT']);
  expect(t('points.words', { count: 12345 })).toBe('12.345 parole');
  expect(t('points.words', { count: 1_000_000 })).toBe('1.000.000 parole');
  expect(t('transcript.found', { count: 0 })).toBe('Niente trovato');
  expect(whenOf(noon)).toContain('29 nov 2026');
  await loadTexts('en', ['en-GB']);
  expect(t('points.words', { count: 12345 })).toBe('12,345 words');
  expect(timeOf(noon)).toBe('13:05');
});
