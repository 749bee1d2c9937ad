/** The languages that the pages are in. */
export const LANGUAGES = ['en', 'de', 'it'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Each as its speakers call it. */
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', it: 'Italiano' };

/** Candidates and recruiters choose apart: a preview of an interview is in the language of the interview. */
export type Reader = 'candidate' | 'recruiter';

/** Who reads the page at this address. */
export function readerOf(path: string): Reader {
  return tokenOf(path) === undefined ? 'recruiter' : 'candidate';
}

/** The token of a candidate's link. */
export function tokenOf(path: string): string | undefined {
  const part = /^\/i\/([^/]+)/.exec(path)?.[1];
  try {
    return part && decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** A language of the pages by its code, such as `de`. */
export function languageBy(code: unknown): Language | undefined {
  return LANGUAGES.find((language) => language === code);
}

/** The first of these languages that the pages are in; English if there is none. The tags are such as `de-AT`. */
export function firstOf(tags: readonly string[]): Language {
  return tags.map((tag) => languageBy(primaryOf(tag))).find((language) => language) ?? 'en';
}

/** How dates and numbers are written: as the reader's browser does it in that language, such as `en-GB`. */
export function localeOf(language: Language, tags: readonly string[]): string {
  return tags.find((tag) => primaryOf(tag) === language) ?? language;
}

function primaryOf(tag: string): string | undefined {
  return tag.toLowerCase().split('-')[0];
}

const keptAs = (reader: Reader) => `vivavoce.language.${reader}`;

/** The language that a reader has chosen in this browser. */
export function keptLanguage(reader: Reader): Language | undefined {
  try {
    return languageBy(localStorage.getItem(keptAs(reader)));
  } catch {
    return undefined;
  }
}

/** Keeps a choice; nothing for none. Returns whether the browser keeps it. */
export function keepLanguage(reader: Reader, language: Language | undefined): boolean {
  try {
    if (language) localStorage.setItem(keptAs(reader), language);
    else localStorage.removeItem(keptAs(reader));
    return true;
  } catch {
    return false;
  }
}
