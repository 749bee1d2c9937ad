import { useId } from 'react';
import { useSession } from '../frame/SignedIn';
import { t } from '../texts';
import { Field } from '../ui/Field';
import type { SendingDraft } from './sending';

interface SendingFieldsProps {
  sending: SendingDraft;
  onChange: (sending: SendingDraft) => void;
}

/** Whether the invitation goes out by mail, and the time that is proposed. */
export function SendingFields({ sending, onChange }: SendingFieldsProps) {
  const { sends_mail } = useSession();
  const id = useId();
  return (
    <div className="stack">
      {sends_mail && (
        <label className="check" htmlFor={`${id}-mail`}>
          <input
            id={`${id}-mail`}
            type="checkbox"
            checked={sending.byMail}
            onChange={({ target }) => onChange({ ...sending, byMail: target.checked })}
          />
          <span>
            <b>{t('invitation.byMail')}</b>
            <span className="hint">{t('invitation.byMailHint')}</span>
          </span>
        </label>
      )}
      <Field id={`${id}-time`} label={t('invitation.time')} optional hint={t('invitation.timeHint')}>
        {(props) => (
          <input
            {...props}
            type="datetime-local"
            value={sending.time}
            onChange={({ target }) => onChange({ ...sending, time: target.value })}
          />
        )}
      </Field>
    </div>
  );
}
