import { t } from '../texts';
import { PAUSES, type Pauses, type Preferences, type SetPreferences, TEXT_SIZES, type TextSize } from './preferences';

type Choice = 'captions' | 'time' | 'singleKeys' | 'types';

const WORDS: Record<Choice, { word: string; hint: string }> = {
  captions: { word: t('choice.captions'), hint: t('choice.captionsHint') },
  time: { word: t('choice.time'), hint: t('choice.timeHint') },
  singleKeys: { word: t('choice.singleKeys'), hint: t('choice.singleKeysHint') },
  types: { word: t('choice.types'), hint: t('choice.typesHint') },
};

interface ChoicesProps {
  of: readonly Choice[];
  preferences: Preferences;
  setPreferences: SetPreferences;
}

/** What can be had or not, as boxes. */
export function Choices({ of, preferences, setPreferences }: ChoicesProps) {
  return of.map((choice) => (
    <label className="check" key={choice}>
      <input
        type="checkbox"
        id={`choice-${choice}`}
        checked={preferences[choice]}
        aria-describedby={`choice-${choice}-hint`}
        onChange={(event) => setPreferences({ [choice]: event.target.checked })}
      />
      <span>
        <b>{WORDS[choice].word}</b>
        <span className="hint" id={`choice-${choice}-hint`}>
          {WORDS[choice].hint}
        </span>
      </span>
    </label>
  ));
}

const SIZES: Record<TextSize, string> = {
  usual: t('choice.usual'),
  large: t('choice.large'),
  largest: t('choice.largest'),
};

/** How large captions and the question are. */
export function TextSizes({ preferences, setPreferences }: Omit<ChoicesProps, 'of'>) {
  return (
    <fieldset className="sizes">
      <legend className="legend">{t('choice.textSize')}</legend>
      <div className="choices">
        {TEXT_SIZES.map((size) => (
          <label className="choice" key={size}>
            <input
              type="radio"
              name="text-size"
              value={size}
              checked={preferences.textSize === size}
              onChange={() => setPreferences({ textSize: size })}
            />
            <span>{SIZES[size]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const PAUSE_WORDS: Record<Pauses, string> = {
  usual: t('accommodation.usual'),
  longer: t('accommodation.longer'),
  much_longer: t('accommodation.muchLonger'),
};

/** How long they may pause. The interviewer obeys it from the first question on. */
export function PausesChoice({ pauses, onChoose }: { pauses: Pauses; onChoose: (pauses: Pauses) => void }) {
  return (
    <fieldset className="sizes">
      <legend className="legend">{t('accommodation.pauses')}</legend>
      <div className="choices">
        {PAUSES.map((one) => (
          <label className="choice" key={one}>
            <input
              type="radio"
              name="pauses"
              value={one}
              checked={pauses === one}
              aria-describedby="pauses-hint"
              onChange={() => onChoose(one)}
            />
            <span>{PAUSE_WORDS[one]}</span>
          </label>
        ))}
      </div>
      <p className="hint" id="pauses-hint">
        {t('accommodation.pausesHint')}
      </p>
    </fieldset>
  );
}
