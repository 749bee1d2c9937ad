import { type FormEvent, useState } from 'react';
import { t } from '../../texts';
import { Field } from '../../ui/Field';
import { Notice } from '../../ui/Notice';
import { type Feedback, useFeedback } from './requests';

const STARS = [1, 2, 3, 4, 5] as const;

/** How it was for them: a number and a few words, both as they like. */
export function FeedbackForm({ token, given }: { token: string; given: Feedback | null }) {
  const [stars, setStars] = useState(given?.stars ?? null);
  const [text, setText] = useState(given?.text ?? '');
  const [isEmpty, setEmpty] = useState(false);
  const sending = useFeedback(token);
  const isSent = given !== null && given.stars === stars && given.text === text.trim();
  function submit(event: FormEvent) {
    event.preventDefault();
    if (sending.isPending) return;
    const nothing = stars === null && !text.trim();
    setEmpty(nothing);
    if (!nothing) sending.mutate({ stars, text: text.trim() });
  }
  return (
    <form className="card" aria-labelledby="feedback-h" noValidate onSubmit={submit}>
      <h2 id="feedback-h">{t('feedback.heading')}</h2>
      <p className="soft">{t('feedback.about')}</p>
      <fieldset className="rates">
        <legend>{t('feedback.question')}</legend>
        <div>
          {STARS.map((n) => (
            <label className="rate" key={n}>
              <input type="radio" name="stars" value={n} checked={stars === n} onChange={() => setStars(n)} />
              <span>{n}</span>
              {n === 1 && <small>{t('feedback.badly')}</small>}
              {n === 5 && <small>{t('feedback.well')}</small>}
            </label>
          ))}
        </div>
      </fieldset>
      <Field
        id="feedback"
        label={t('feedback.words')}
        optional
        error={isEmpty ? t('feedback.empty') : undefined}
        errorTold
      >
        {(control) => (
          <textarea
            {...control}
            rows={3}
            maxLength={4000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      {sending.error && <Notice kind="bad" icon="warn" heading={sending.error.message} told="now" />}
      <div className="row">
        <button type="submit" className="btn primary" aria-disabled={sending.isPending || undefined}>
          {sending.isPending ? t('feedback.sending') : t('feedback.send')}
        </button>
        <p role="status">{isSent && <span className="status ok">{t('feedback.sent')}</span>}</p>
      </div>
    </form>
  );
}
