import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useSearchParams } from 'wouter';
import type { Invited } from '../api/contract';
import { addCandidates } from '../api/openings';
import { useSession } from '../frame/SignedIn';
import { PaperFile } from '../launch/PaperFile';
import { checkEmail, checkName } from '../sign-in/check';
import { t } from '../texts';
import { ErrorSummary } from '../ui/ErrorSummary';
import { Field } from '../ui/Field';
import { useFields } from '../ui/useFields';
import { AccommodationFields, NONE } from './AccommodationFields';
import { useLinks } from './links';
import { OpeningFrame } from './OpeningFrame';
import { PasteForm } from './PasteForm';
import { SendingFields } from './SendingFields';
import { NO_SENDING, sendingOf } from './sending';

const RESUME_MAX = 20_000;

/** Candidates are added to an opening: one by one, or as a list. */
export function AddCandidatesPage({ id }: { id: string }) {
  const [way, setWay] = useState<'one' | 'list'>('one');
  const [, go] = useLocation();
  const [, setLinks] = useLinks();
  const client = useQueryClient();

  function added(invited: readonly Invited[]) {
    setLinks((links) => ({ ...links, [id]: [...(links[id] ?? []), ...invited] }));
    client.invalidateQueries({ queryKey: ['interviews'] });
    go(`/openings/${id}`);
  }

  return (
    <OpeningFrame id={id} place="add">
      {() => (
        <>
          <fieldset className="seg ways">
            <legend className="sr">{t('add.way')}</legend>
            {(['one', 'list'] as const).map((known) => (
              <label key={known}>
                <input type="radio" name="way" checked={way === known} onChange={() => setWay(known)} />{' '}
                {known === 'one' ? t('add.one') : t('add.list')}
              </label>
            ))}
          </fieldset>
          {way === 'one' ? <OneForm id={id} onAdded={added} /> : <PasteForm id={id} onAdded={added} />}
        </>
      )}
    </OpeningFrame>
  );
}

interface FormProps {
  id: string;
  onAdded: (invited: readonly Invited[]) => void;
}

function OneForm({ id, onAdded }: FormProps) {
  const [address] = useSearchParams();
  const { real_model, sends_mail } = useSession();
  const [sending, setSending] = useState(NO_SENDING);
  const [accommodations, setAccommodations] = useState(NONE);
  const { form, errors, mends, trouble, summary, isSending, submit, control } = useFields({
    first: { name: address.get('name') ?? '', email: address.get('email') ?? '', resume: '' },
    labels: { name: t('field.name'), email: t('add.email'), resume: t('field.resume') },
    check: (field, value) => {
      if (field === 'name') return checkName(value);
      if (field === 'email') return value.trim() ? checkEmail(value) : undefined;
      const chars = [...value.trim()].length;
      return chars > RESUME_MAX ? t('mend.longResume', { chars, most: RESUME_MAX }) : undefined;
    },
    send: async ({ name, email, resume }) => {
      const candidate = { name: name.trim(), email: email.trim(), resume: resume.trim(), accommodations };
      onAdded(await addCandidates(id, [candidate], sendingOf(sending)).catch(unlisted));
    },
  });
  const resume = control('resume');
  return (
    <>
      <ErrorSummary mends={mends} heading={t('add.notAdded')} trouble={trouble} ref={summary} />
      <form className="card stack" noValidate onSubmit={submit}>
        <div className="pair">
          <Field id="name" label={t('field.name')} error={errors.name}>
            {(props) => <input {...props} {...control('name')} autoComplete="off" />}
          </Field>
          <Field
            id="email"
            label={t('add.email')}
            optional
            hint={sends_mail ? t('add.emailMailHint') : t('add.emailHint')}
            error={errors.email}
          >
            {(props) => <input {...props} {...control('email')} type="email" autoComplete="off" />}
          </Field>
        </div>
        <Field
          id="resume"
          label={t('field.resume')}
          optional
          hint={real_model ? t('launch.resumeHint') : t('editor.scriptedPaper')}
          error={errors.resume}
        >
          {(props) => (
            <>
              <textarea {...props} {...resume} rows={8} />
              <PaperFile
                id="resume"
                label={t('field.resume')}
                text={form.resume}
                onText={(value) => resume.onChange({ target: { value } })}
              />
            </>
          )}
        </Field>
        <AccommodationFields value={accommodations} onChange={setAccommodations} />
        <SendingFields sending={sending} onChange={setSending} />
        <div className="row">
          <button type="submit" className="btn primary">
            {isSending ? t('add.adding') : t('add.addOne')}
          </button>
          {!sending.byMail && <span className="small soft">{t('launch.noMail')}</span>}
        </div>
      </form>
    </>
  );
}

/** Of one candidate, `candidates.0.name` is `name`. */
function unlisted(why: unknown): never {
  if (why instanceof Error && 'problem' in why) {
    const { problem } = why as Error & { problem: { fields: { field: string }[] } };
    for (const field of problem.fields) field.field = field.field.replace(/^candidates\.0\./, '');
  }
  throw why;
}

export default AddCandidatesPage;
