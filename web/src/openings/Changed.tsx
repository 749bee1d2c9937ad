import { useState } from 'react';
import type { Opening, OpeningForm } from '../api/contract';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { whenOf } from '../ui/time';
import { type FormField, merge, taking } from './merge';
import { LABELS, REPORT_FOR } from './words';

interface ChangedProps {
  base: OpeningForm;
  mine: OpeningForm;
  other: Opening;
  /** Nothing is saved; the draft stays. */
  onStay: () => void;
  onSettle: (form: OpeningForm) => void;
}

/** Somebody else has saved the opening meanwhile: shows what differs, and lets people choose field by field. */
export function Changed({ base, mine, other, onStay, onSettle }: ChangedProps) {
  const { form, theirs, conflicts } = merge(base, mine, other.form);
  const [taken, setTaken] = useState<readonly FormField[]>([]);
  return (
    <Dialog
      heading={t('changed.heading')}
      onSafe={onStay}
      buttons={
        <>
          <button type="button" className="btn" data-safe onClick={onStay}>
            {t('changed.stay')}
          </button>
          <button type="button" className="btn primary" onClick={() => onSettle(taking(form, other.form, taken))}>
            {t('changed.save')}
          </button>
        </>
      }
    >
      <p>{t('changed.when', { when: whenOf(other.updated_at) })}</p>
      {theirs.length > 0 && <p>{t('changed.theirs', { fields: theirs.map((field) => LABELS[field]).join(', ') })}</p>}
      {conflicts.length === 0 && <p>{t('changed.noConflict')}</p>}
      {conflicts.map((field) => (
        <fieldset key={field} className="field">
          <legend className="legend">{LABELS[field]}</legend>
          <div className="choices one">
            {(['mine', 'theirs'] as const).map((side) => (
              <label className="choice" key={side}>
                <input
                  type="radio"
                  name={`changed-${field}`}
                  checked={taken.includes(field) === (side === 'theirs')}
                  onChange={() =>
                    setTaken(side === 'theirs' ? [...taken, field] : taken.filter((other) => other !== field))
                  }
                />
                <span>
                  <b>{side === 'mine' ? t('changed.mine') : t('changed.other')}</b>
                  <br />
                  <span className="hint">{shortOf(field, side === 'mine' ? mine : other.form)}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      ))}
    </Dialog>
  );
}

const SHORT_MAX = 160;

/** A value of the form in a few words. */
function shortOf(field: FormField, form: OpeningForm): string {
  const text = textOf(field, form);
  return text.length > SHORT_MAX ? `${text.slice(0, SHORT_MAX)}…` : text || t('changed.nothing');
}

function textOf(field: FormField, form: OpeningForm): string {
  switch (field) {
    case 'questions':
      return form.questions.map(({ text }) => text).join(' · ');
    case 'criteria':
      return form.criteria.map(({ name }) => name).join(' · ');
    case 'knowledge':
      return form.knowledge.map(({ question }) => question).join(' · ');
    case 'recording':
    case 'feedback':
      return form[field] ? t('changed.yes') : t('changed.no');
    case 'candidate_report':
      return REPORT_FOR[form.candidate_report];
    case 'integrity':
      return form.integrity === 'facts' ? t('changed.yes') : t('changed.no');
    case 'length_min':
    case 'retention_days':
    case 'link_days':
    case 'attempts':
      return form[field] === null ? '' : String(form[field]);
    case 'title':
    case 'role':
    case 'level':
    case 'job_description':
    case 'blueprint':
    case 'contact':
    case 'next':
      return form[field];
  }
}
