import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { SessionView } from '../api/contract';
import { START, session, signIn } from '../api/session';
import { t } from '../texts';
import { ErrorSummary } from '../ui/ErrorSummary';
import { Field } from '../ui/Field';
import { Frame } from '../ui/Frame';
import { useFields } from '../ui/useFields';
import { checkEmail } from './check';
import { Gate, PasswordField } from './Gate';
import { refusalIn } from './setupCode';

const REFUSALS: Readonly<Record<string, string>> = {
  failed: t('elsewhere.failed'),
  over: t('elsewhere.over'),
  'not-admitted': t('elsewhere.notAdmitted'),
  taken: t('elsewhere.taken'),
  busy: t('elsewhere.busy'),
};

/** U01: who has an account signs in. It stands at the address that they wanted to see. */
export function SignInPage({ session: { oidc, passwords } }: { session: SessionView }) {
  const [refused] = useState(() => REFUSALS[refusalIn(location.hash)]);
  return passwords ? <WithPassword oidc={oidc} refused={refused} /> : <Elsewhere refused={refused} />;
}

/** Where nobody has a password here. */
function Elsewhere({ refused }: { refused: string | undefined }) {
  const summary = useRef<HTMLDivElement>(null);
  return (
    <Frame title={t('signIn.title')} page="narrow">
      <div className="head">
        <div>
          <h1>{t('signIn.title')}</h1>
          <p>{t('elsewhere.about')}</p>
        </div>
      </div>
      <ErrorSummary mends={[]} heading={t('signIn.refused')} trouble={refused} ref={summary} />
      <div className="card">
        <a className="btn primary" href={START}>
          {t('elsewhere.button')}
        </a>
      </div>
    </Frame>
  );
}

function WithPassword({ oidc, refused }: { oidc: boolean; refused: string | undefined }) {
  const client = useQueryClient();
  const { errors, mends, trouble, summary, isSending, submit, control } = useFields({
    first: { email: '', password: '' },
    labels: { email: t('signIn.email'), password: t('signIn.password') },
    check: (field, value) => {
      if (field === 'email') return checkEmail(value);
      return value ? undefined : t('mendAccount.noPassword');
    },
    send: async (form) => client.setQueryData(session.queryKey, await signIn({ ...form, email: form.email.trim() })),
  });
  return (
    <Gate
      title={t('signIn.title')}
      about={t('signIn.about')}
      refused={t('signIn.refused')}
      mends={mends}
      trouble={trouble ?? refused}
      summary={summary}
      onSubmit={submit}
      button={isSending ? t('signIn.sending') : t('signIn.button')}
    >
      {oidc && (
        <>
          <a className="btn" href={START}>
            {t('elsewhere.button')}
          </a>
          <p className="small soft">{t('elsewhere.or')}</p>
        </>
      )}
      <Field id="email" label={t('signIn.email')} error={errors.email}>
        {(props) => <input {...props} {...control('email')} type="email" autoComplete="username" />}
      </Field>
      <PasswordField
        id="password"
        label={t('signIn.password')}
        error={errors.password}
        control={control('password')}
        isNew={false}
      />
    </Gate>
  );
}

export default SignInPage;
