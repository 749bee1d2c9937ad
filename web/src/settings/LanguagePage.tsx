import { useState } from 'react';
import { t } from '../texts';
import { firstOf, keepLanguage, keptLanguage, LANGUAGE_NAMES, LANGUAGES, languageBy } from '../texts/language';
import { FieldError } from '../ui/Field';
import { SettingsFrame } from './SettingsFrame';

/** In which language the recruiter's pages are; kept in the browser, and for everybody who is signed in. */
export function LanguagePage() {
  const [isRefused, setRefused] = useState(false);

  function choose(code: string) {
    if (!keepLanguage('recruiter', languageBy(code))) return setRefused(true);
    location.reload();
  }

  return (
    <SettingsFrame place="language" about={t('admin.languageAbout')}>
      <div className="card field">
        <label htmlFor="language">{t('admin.languageLabel')}</label>
        <select id="language" value={keptLanguage('recruiter') ?? ''} onChange={({ target }) => choose(target.value)}>
          <option value="">{t('admin.byBrowser', { language: LANGUAGE_NAMES[firstOf(navigator.languages)] })}</option>
          {LANGUAGES.map((language) => (
            <option key={language} value={language} lang={language}>
              {LANGUAGE_NAMES[language]}
            </option>
          ))}
        </select>
        {isRefused && <FieldError id="language-e" message={t('admin.notKept')} told />}
      </div>
    </SettingsFrame>
  );
}

export default LanguagePage;
