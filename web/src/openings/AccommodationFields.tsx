import { PausesChoice } from '../candidate/Choices';
import type { Accommodations } from '../candidate/preferences';
import { t } from '../texts';

/** Nothing is different. */
export const NONE: Accommodations = { pauses: 'usual', captions: false, types: false };

interface AccommodationFieldsProps {
  value: Accommodations;
  onChange: (value: Accommodations) => void;
}

/** What a recruiter who was asked for it makes different for a candidate. The candidate can change all of it. */
export function AccommodationFields({ value, onChange }: AccommodationFieldsProps) {
  return (
    <details>
      <summary>{t('gives.accommodations')}</summary>
      <div className="stack">
        <p className="hint">{t('gives.accommodationsHint')}</p>
        <PausesChoice pauses={value.pauses} onChoose={(pauses) => onChange({ ...value, pauses })} />
        {(['captions', 'types'] as const).map((which) => (
          <label className="check" key={which}>
            <input
              type="checkbox"
              checked={value[which]}
              onChange={(event) => onChange({ ...value, [which]: event.target.checked })}
            />
            <span>
              <b>{which === 'captions' ? t('gives.captions') : t('gives.types')}</b>
            </span>
          </label>
        ))}
      </div>
    </details>
  );
}
