import { describe, expect, it } from 'vitest';
import { de } from './de';
import { en } from './en';
import { it as italian } from './it';

type Tree = { readonly [key: string]: string | Tree };

function flat(texts: Tree, before = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, text]): [string, string][] =>
      typeof text === 'string' ? [[before + key, text]] : [...flat(text, `${before}${key}.`)],
    ),
  );
}

/** What is filled in, and the tags around what the page puts there. */
function marksOf(text: string): string[] {
  return (text.match(/\{\{[^}]*\}\}|<\/?\w+>/g) ?? []).sort();
}

/** Names, signs, and words that are the same elsewhere, by the language in which they are. */
const SAME: Record<string, readonly string[]> = {
  de: [
    'Admin',
    'Interview',
    'Interviewer',
    'Interviews',
    'Link',
    'Live',
    'Name',
    'Plan',
    'Recruiter',
    'Tokens',
    'Webhooks',
  ],
  it: ['Admin', 'E-mail', 'Link', 'No', 'Password', 'Recruiter'],
};
const SAME_ANYWHERE = ['Vivavoce', '{{page}} · Vivavoce', 'Ada Lovelace, ada@example.org'];

const english = flat(en);

describe.each([
  ['de', flat(de)],
  ['it', flat(italian)],
])('the catalogue in %s', (language, texts) => {
  it('has the keys of the English one, in the same order', () => {
    expect([...texts.keys()]).toEqual([...english.keys()]);
  });

  /** A name that is not filled in would stand there in braces, or be missing. */
  it('has the same placeholders and tags', () => {
    const other = [...english].filter(([key, text]) => `${marksOf(text)}` !== `${marksOf(texts.get(key) ?? '')}`);
    expect(other).toEqual([]);
  });

  it('leaves nothing in English', () => {
    const same = [...SAME_ANYWHERE, ...(SAME[language] ?? [])];
    const left = [...english].filter(
      ([key, text]) => texts.get(key) === text && /[A-Za-z]{2}/.test(wordsOf(text)) && !same.includes(text),
    );
    expect(left).toEqual([]);
  });

  /** The words that are allowed to be the same are those that are. */
  it('allows no more than that', () => {
    const used = new Set([...english].filter(([key, text]) => texts.get(key) === text).map(([, text]) => text));
    expect((SAME[language] ?? []).filter((text) => !used.has(text))).toEqual([]);
  });

  it('has no mark of another way to quote, and no empty text', () => {
    const quotes = language === 'de' ? /["“](?=\w)|«|»/ : /["“”„]/;
    expect([...texts].filter(([, text]) => quotes.test(text) || text === '')).toEqual([]);
  });
});

/** A text without what is filled in and without units. */
function wordsOf(text: string): string {
  return text.replace(/\{\{[^}]*\}\}|\b(?:min|ms|s|MB)\b/g, '');
}
