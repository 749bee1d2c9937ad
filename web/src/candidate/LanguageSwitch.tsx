import { language, t } from '../texts';
import { keepLanguage, LANGUAGE_NAMES, LANGUAGES, languageBy } from '../texts/language';

/** In which language the pages around an interview are. The interview itself stays in its own. */
export function LanguageSwitch() {
  function choose(code: string) {
    const isKept = keepLanguage('candidate', languageBy(code));
    // Where the browser keeps nothing, the address does.
    if (isKept && !location.search) location.reload();
    else location.search = isKept ? '' : `?language=${code}`;
  }

  return (
    <label className="push">
      <span className="sr">{t('language')}</span>
      <select className="lang" value={language()} onChange={({ target }) => choose(target.value)}>
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  );
}
