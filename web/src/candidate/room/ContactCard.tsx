import { type FormEvent, useLayoutEffect, useRef } from 'react';
import type { FormField } from '../../api/client';
import { t } from '../../texts';
import { Field } from '../../ui/Field';
import { Notice } from '../../ui/Notice';
import { formSentenceOf, inputOf } from './contactForm';
import type { Filling } from './useContactForm';

interface ContactCardProps {
  filling: Filling;
  /** All fields of the interview's form. */
  all: readonly FormField[];
  interviewer: string;
}

/** The form for contact data while they are asked for, and what was sent of it. It never takes the focus. */
export function ContactCard({ filling, all, interviewer }: ContactCardProps) {
  const { form, fields } = filling;
  const taken = all.filter(({ key }) => form.taken[key] !== undefined);
  if (taken.length === 0 && fields.length === 0) return null;
  return (
    <section className="contact" id="contact" tabIndex={-1} aria-labelledby="contact-h">
      <h2 id="contact-h">{t('form.heading')}</h2>
      {taken.length > 0 && (
        <Notice kind="ok" icon="check" heading={t('form.sent')}>
          <dl className="facts">
            {taken.map(({ key, title }) => (
              <div key={key}>
                <dt>{title}</dt>
                <dd>{form.taken[key]}</dd>
              </div>
            ))}
          </dl>
        </Notice>
      )}
      {fields.length > 0 && <ContactFields filling={filling} interviewer={interviewer} />}
    </section>
  );
}

/** Not on the way to a button: an error that appears would move it away from under the pointer. */
const isOnward = (to: EventTarget | null) => to instanceof HTMLElement && !to.closest('button');

/** A field's control. */
const idOf = ({ key }: FormField) => `contact-${key}`;

function focusNearby() {
  const nearby = document.getElementById('contact') ?? document.getElementById('main');
  nearby?.focus({ preventScroll: true });
}

function ContactFields({ filling, interviewer }: { filling: Filling; interviewer: string }) {
  const { form, fields, edit, leave, send, decline } = filling;
  const isSending = form.request?.waits ?? false;
  const element = useRef<HTMLFormElement>(null);

  // Gone with the focus in it, it would leave a keyboard at the top of the page.
  useLayoutEffect(() => {
    const { current } = element;
    return () => {
      if (current?.contains(document.activeElement)) queueMicrotask(focusNearby);
    };
  }, []);

  function submitted(event: FormEvent) {
    event.preventDefault();
    const toMend = send();
    if (toMend) document.getElementById(idOf(toMend))?.focus();
  }

  return (
    <form noValidate ref={element} onSubmit={submitted}>
      <p className="soft">{t('form.choice', { interviewer })}</p>
      <div className="pair">
        {fields.map((field) => (
          <Field key={field.key} id={idOf(field)} label={field.title} optional error={form.errors[field.key]} errorTold>
            {(control) => (
              <input
                {...control}
                {...inputOf(field)}
                name={field.key}
                readOnly={isSending}
                value={form.values[field.key] ?? ''}
                onChange={(event) => edit(field.key, event.target.value)}
                onBlur={(event) => isOnward(event.relatedTarget) && leave(field)}
              />
            )}
          </Field>
        ))}
      </div>
      {form.problem && (
        <Notice
          kind={form.problem.kind === 'empty' ? 'info' : 'warn'}
          icon={form.problem.kind === 'empty' ? 'info' : 'warn'}
          heading={formSentenceOf(form.problem, interviewer)}
          told="now"
        />
      )}
      <div className="row">
        <button type="submit" className="btn primary" aria-disabled={isSending || undefined}>
          {isSending ? t('form.sending') : t('form.send')}
        </button>
        <button
          type="button"
          className="btn"
          aria-disabled={isSending || undefined}
          onClick={() => !isSending && decline()}
        >
          {t('form.ratherNot')}
        </button>
      </div>
    </form>
  );
}
