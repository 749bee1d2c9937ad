import { useQueryClient } from '@tanstack/react-query';
import { session, signIn } from '../api/session';
import { t } from '../texts';
import { Field } from '../ui/Field';
import { useFields } from '../ui/useFields';
import { checkEmail } from './check';
import { Gate, PasswordField } from './Gate';

/** U01: who has an account signs in. It stands at the address that they wanted to see. */
export function SignInPage() {
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
      trouble={trouble}
      summary={summary}
      onSubmit={submit}
      button={isSending ? t('signIn.sending') : t('signIn.button')}
    >
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
