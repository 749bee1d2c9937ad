import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { InterviewRow, Invited } from '../api/contract';
import { inviteAgain } from '../api/invitations';
import { SendingFields } from '../openings/SendingFields';
import { NO_SENDING, sendingOf } from '../openings/sending';
import { t } from '../texts';
import { Copy } from '../ui/Copy';
import { Dialog } from '../ui/Dialog';
import { FieldError } from '../ui/Field';
import { LocalHint } from '../ui/LocalHint';
import { untilOf } from '../ui/until';
import { nameOf } from './states';

/** Another attempt of a candidate, with their résumé and data. */
export function AgainDialog({ row, onClose }: { row: InterviewRow; onClose: () => void }) {
  const id = useId();
  const client = useQueryClient();
  const [sending, setSending] = useState(NO_SENDING);
  const [made, setMade] = useState<Invited>();
  const inviting = useMutation({
    mutationFn: () => inviteAgain(row.id, sendingOf(sending)),
    onSuccess: (invited) => {
      setMade(invited);
      client.invalidateQueries({ queryKey: ['interviews'] });
    },
  });
  const name = nameOf(row);
  if (!made)
    return (
      <Dialog
        key="asked"
        heading={t('invitation.againAsked', { name })}
        onSafe={onClose}
        buttons={
          <>
            <button type="button" className="btn" data-safe onClick={onClose}>
              {t('listen.notNow')}
            </button>
            <button type="button" className="btn primary" onClick={() => !inviting.isPending && inviting.mutate()}>
              {inviting.isPending ? t('action.doing') : t('action.again')}
            </button>
          </>
        }
      >
        <p>{t('invitation.againAbout')}</p>
        <SendingFields sending={sending} onChange={setSending} />
        {inviting.error && <FieldError id={`${id}-e`} message={inviting.error.message} told />}
      </Dialog>
    );
  const link = new URL(made.link, location.origin).href;
  return (
    <Dialog
      key="made"
      heading={t('action.linkMade', { name })}
      onSafe={onClose}
      buttons={
        <>
          <Copy text={link} className="btn primary">
            {t('link.copy')}
          </Copy>
          <button type="button" className="btn" onClick={onClose}>
            {t('listen.close')}
          </button>
        </>
      }
    >
      <p>{t('link.send', { until: untilOf(made.expires_at) })}</p>
      <LocalHint />
      <div className="field">
        <label htmlFor={id}>{t('link.label')}</label>
        <input id={id} readOnly value={link} onFocus={(event) => event.target.select()} data-safe />
      </div>
    </Dialog>
  );
}
