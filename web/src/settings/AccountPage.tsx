import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changePassword, session } from '../api/session';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { checkPassword, PASSWORD_MIN } from '../sign-in/check';
import { PasswordField, passwordHint } from '../sign-in/Gate';
import { t } from '../texts';
import { ErrorSummary } from '../ui/ErrorSummary';
import { Notice } from '../ui/Notice';
import { useFields } from '../ui/useFields';

/** One's own password. */
export function AccountPage() {
  const client = useQueryClient();
  const [isDone, setDone] = useState(false);
  const { errors, mends, trouble, summary, isSending, submit, control, reset } = useFields({
    first: { current: '', new: '' },
    labels: { current: t('signIn.currentPassword'), new: t('signIn.newPassword') },
    check: (field, value) => {
      if (field === 'new') return checkPassword(value);
      return value ? undefined : t('mendAccount.noPassword');
    },
    send: async (form) => {
      setDone(false);
      await changePassword(form);
      reset();
      setDone(true);
      client.invalidateQueries({ queryKey: session.queryKey });
    },
  });
  return (
    <RecruiterFrame title={t('frame.password')} page="narrow">
      <div className="head">
        <div>
          <h1>{t('frame.password')}</h1>
          <p>{t('signIn.changeAbout')}</p>
        </div>
      </div>
      <ErrorSummary mends={mends} heading={t('signIn.notChanged')} trouble={trouble} ref={summary} />
      {isDone && <Notice kind="ok" icon="check" heading={t('signIn.changed')} told="soon" />}
      <form className="card stack" noValidate onSubmit={submit}>
        <PasswordField
          id="current"
          label={t('signIn.currentPassword')}
          error={errors.current}
          control={control('current')}
          isNew={false}
        />
        <PasswordField
          id="new"
          label={t('signIn.newPassword')}
          hint={passwordHint(PASSWORD_MIN)}
          error={errors.new}
          control={control('new')}
          isNew
        />
        <div className="row">
          <button type="submit" className="btn primary">
            {isSending ? t('signIn.changing') : t('signIn.changeButton')}
          </button>
        </div>
      </form>
    </RecruiterFrame>
  );
}

export default AccountPage;
