import { expect, it } from 'vitest';
import { en } from './en';

type Texts = { readonly [key: string]: string | Texts };

/** The keys as the pages name them: of a plural once. */
function keysOf(texts: Texts, before = ''): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'string'
      ? before + key.replace(/_(zero|one|two|few|many|other)$/, '')
      : keysOf(text, `${before}${key}.`),
  );
}

const files = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.ts', '!./**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const pages = Object.values(files).join();

/** No text stays that nobody reads any more: it would be translated for nothing. */
it('every text is used', () => {
  const unused = keysOf(en).filter((key) => !pages.includes(`'${key}'`) && !pages.includes(`"${key}"`));
  expect(unused).toEqual([]);
});
