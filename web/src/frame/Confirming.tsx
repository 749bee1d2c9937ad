import { type FormEvent, useEffect, useState } from 'react';
import { onConfirm } from '../api/confirm';
import { confirm, START_FRESH } from '../api/session';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { Field } from '../ui/Field';
import { useSession } from './SignedIn';

/** Asks in place who it is, when the server wants to know it again; what was asked for then goes on. */
export function Confirming() {
  const { account } = useSession();
  const [answer, setAnswer] = useState<(is: boolean) => void>();
  useEffect(() => {
    onConfirm(() => new Promise((resolve) => setAnswer(() => resolve)));
    return () => onConfirm(async () => false);
  }, []);
  if (!answer) return null;
  function close(is: boolean) {
    answer?.(is);
    setAnswer(undefined);
  }
  return account.has_password ? <ByPassword onClose={close} /> : <Elsewhere onClose={close} />;
}

function ByPassword({ onClose }: { onClose: (is: boolean) => void }) {
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [isSending, setSending] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending) return;
    if (!password) return setWrong(t('mendAccount.noPassword'));
    setSending(true);
    try {
      await confirm({ password });
    } catch (why) {
      setSending(false);
      return setWrong((why as Error).message);
    }
    onClose(true);
  }

  return (
    <Dialog
      heading={t('confirm.heading')}
      onSafe={() => onClose(false)}
      buttons={
        <>
          <button type="submit" form="confirm" className="btn primary">
            {isSending ? t('action.doing') : t('confirm.goOn')}
          </button>
          <button type="button" className="btn" onClick={() => onClose(false)}>
            {t('confirm.leave')}
          </button>
        </>
      }
    >
      <p>{t('confirm.about')}</p>
      <form id="confirm" noValidate onSubmit={submit}>
        <Field id="confirm-password" label={t('signIn.password')} error={wrong} errorTold>
          {(props) => (
            <input
              {...props}
              data-safe
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={({ target }) => setPassword(target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}

function Elsewhere({ onClose }: { onClose: (is: boolean) => void }) {
  return (
    <Dialog
      heading={t('confirm.heading')}
      onSafe={() => onClose(false)}
      buttons={
        <>
          <a className="btn primary" href={START_FRESH} data-safe>
            {t('elsewhere.button')}
          </a>
          <button type="button" className="btn" onClick={() => onClose(false)}>
            {t('confirm.leave')}
          </button>
        </>
      }
    >
      <p>{t('confirm.elsewhere')}</p>
    </Dialog>
  );
}
