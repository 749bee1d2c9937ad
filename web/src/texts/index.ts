import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Texts } from './catalogue';
import type { en } from './en';
import { type Language, localeOf } from './language';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

/** Only the language that is read is downloaded. */
const CATALOGUES: Record<Language, () => Promise<{ texts: Texts; sentences: Sentences }>> = {
  en: async () => ({ texts: (await import('./en')).en, sentences: {} }),
  de: async () => ({ texts: (await import('./de')).de, sentences: (await import('./server.de')).sentences }),
  it: async () => ({ texts: (await import('./it')).it, sentences: (await import('./server.it')).sentences }),
};

/** The server's English sentences, with `{}` for what is filled in, and what they are in another language. */
export type Sentences = Readonly<Record<string, string>>;

let now: { language: Language; locale: string; sentences: Sentences } = { language: 'en', locale: 'en', sentences: {} };

/** The language of the page. */
export const language = () => now.language;

/** How dates and numbers are written in it, such as `en-GB`. */
export const locale = () => now.locale;

/** The server's sentences in the language of the page. */
export const sentences = () => now.sentences;

/**
 * Loads the texts of a language. It comes before every other part of a page, and nothing of it changes while the page
 * is open, so that texts can be taken anywhere.
 */
export async function loadTexts(language: Language, tags: readonly string[] = []): Promise<void> {
  const { texts, sentences } = await CATALOGUES[language]();
  now = { language, locale: localeOf(language, tags), sentences };
  await i18next.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: withMany(texts) } },
    initAsync: false,
    // React does it.
    interpolation: { escapeValue: false },
  });
}

/** Italian counts whole millions in a way of its own, "un milione di …"; here they read like other numbers. */
function withMany<T extends object>(texts: T): T {
  const all = Object.entries(texts).flatMap(([key, text]): [string, unknown][] => {
    if (typeof text !== 'string') return [[key, withMany(text)]];
    return key.endsWith('_other')
      ? [
          [key, text],
          [key.replace(/_other$/, '_many'), text],
        ]
      : [[key, text]];
  });
  return Object.fromEntries(all) as T;
}

/** The text of a key. */
export const { t } = i18next;
