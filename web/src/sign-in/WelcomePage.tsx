import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { session, welcome } from '../api/session';
import { t } from '../texts';
import { Empty, Frame } from '../ui/Frame';
import { useFields } from '../ui/useFields';
import { checkPassword, PASSWORD_MIN } from './check';
import { Gate, PasswordField, passwordHint } from './Gate';
import { tokenIn } from './setupCode';

/** Who was given an account chooses their password, with the link that an admin has sent. */
export function WelcomePage() {
  const client = useQueryClient();
  const [, go] = useLocation();
  const [token] = useState(() => tokenIn(location.hash));
  const { errors, mends, trouble, summary, isSending, submit, control } = useFields({
    first: { password: '' },
    labels: { password: t('signIn.newPassword') },
    check: (_, value) => checkPassword(value),
    send: async ({ password }) => {
      client.setQueryData(session.queryKey, await welcome({ token, password }));
      go('/', { replace: true });
    },
  });
  if (!token)
    return (
      <Frame title={t('failed.badLink')} page="narrow">
        <Empty heading={t('failed.badLink')}>
          <p>{t('noPage.check')}</p>
        </Empty>
      </Frame>
    );
  return (
    <Gate
      title={t('signIn.welcome')}
      about={t('signIn.welcomeAbout')}
      refused={t('signIn.notSetUp')}
      mends={mends}
      trouble={trouble}
      summary={summary}
      onSubmit={submit}
      button={isSending ? t('signIn.settingUp') : t('signIn.welcomeButton')}
    >
      <PasswordField
        id="password"
        label={t('signIn.newPassword')}
        hint={passwordHint(PASSWORD_MIN)}
        error={errors.password}
        control={control('password')}
        isNew
      />
    </Gate>
  );
}

export default WelcomePage;
