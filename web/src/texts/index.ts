import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en';

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en };
  }
}

// Of the language nothing changes while a page is open, so that texts can be taken anywhere.
i18next.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: en } },
  initAsync: false,
  // React does it.
  interpolation: { escapeValue: false },
});

/** The text of a key. */
export const { t } = i18next;
