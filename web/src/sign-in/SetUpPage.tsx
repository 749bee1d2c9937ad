import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { SessionView } from '../api/contract';
import { START, session, setUp } from '../api/session';
import { t } from '../texts';
import { Field } from '../ui/Field';
import { useFields } from '../ui/useFields';
import { checkEmail, checkName, checkPassword, PASSWORD_MIN } from './check';
import { Gate, PasswordField, passwordHint } from './Gate';
import { setupCodeIn } from './setupCode';

/** The first start: whoever runs the program makes the first account, which is an admin's. */
export function SetUpPage({ session: { needs_code, oidc } }: { session: SessionView }) {
  const client = useQueryClient();
  const [brought] = useState(() => setupCodeIn(location.hash));
  const asksCode = needs_code && !brought;
  const { errors, mends, trouble, summary, isSending, submit, control } = useFields({
    first: { name: '', email: '', password: '', code: brought },
    labels: {
      name: t('signIn.name'),
      email: t('signIn.email'),
      password: t('signIn.newPassword'),
      code: t('signIn.code'),
    },
    check: (field, value) => {
      if (field === 'name') return checkName(value);
      if (field === 'email') return checkEmail(value);
      if (field === 'password') return checkPassword(value);
      return needs_code && !value.trim() ? t('mendAccount.noCode') : undefined;
    },
    send: async (form) => {
      const view = await setUp({ ...form, name: form.name.trim(), email: form.email.trim(), code: form.code.trim() });
      if (brought) history.replaceState(null, '', location.pathname);
      client.setQueryData(session.queryKey, view);
    },
  });
  return (
    <Gate
      title={t('signIn.setUp')}
      about={t('signIn.setUpAbout')}
      refused={t('signIn.notSetUp')}
      mends={mends}
      trouble={trouble}
      summary={summary}
      onSubmit={submit}
      button={isSending ? t('signIn.settingUp') : t('signIn.setUpButton')}
    >
      {oidc && (
        <>
          <a className="btn" href={START}>
            {t('elsewhere.button')}
          </a>
          <p className="small soft">{t('elsewhere.orMake')}</p>
        </>
      )}
      <Field id="name" label={t('signIn.name')} hint={t('signIn.nameHint')} error={errors.name}>
        {(props) => <input {...props} {...control('name')} autoComplete="name" />}
      </Field>
      <Field id="email" label={t('signIn.email')} hint={t('signIn.emailHint')} error={errors.email}>
        {(props) => <input {...props} {...control('email')} type="email" autoComplete="username" />}
      </Field>
      <PasswordField
        id="password"
        label={t('signIn.newPassword')}
        hint={passwordHint(PASSWORD_MIN)}
        error={errors.password}
        control={control('password')}
        isNew
      />
      {(asksCode || errors.code) && (
        <Field id="code" label={t('signIn.code')} hint={t('signIn.codeHint')} error={errors.code}>
          {(props) => <input {...props} {...control('code')} autoComplete="off" spellCheck={false} />}
        </Field>
      )}
    </Gate>
  );
}

export default SetUpPage;
