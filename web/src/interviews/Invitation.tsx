import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { InterviewMail } from '../api/contract';
import { mailOf, sendMail, setAppointment, takeBackAppointment } from '../api/invitations';
import { useMay } from '../frame/SignedIn';
import { fieldOf, instantOf, zoneHere } from '../openings/sending';
import { t } from '../texts';
import { Field, FieldError } from '../ui/Field';
import { whenOf } from '../ui/time';
import { MAIL_KINDS, mailShape, mailWords } from './mail';

interface InvitationProps {
  id: string;
  /** Whether nobody has come yet, and the link works. */
  isOpen: boolean;
}

/** The mails to a candidate, and the time that is proposed to them. */
export function Invitation({ id, isOpen }: InvitationProps) {
  const client = useQueryClient();
  const mayAct = useMay('recruiter') && isOpen;
  const { data: mail, error } = useQuery(mailOf(id));
  const sending = useMutation({
    mutationFn: () => sendMail(id, zoneHere()),
    onSuccess: (mail) => client.setQueryData(mailOf(id).queryKey, mail),
  });
  const isNew = mail?.mails.length === 0;
  if (!mayAct && isNew && mail.appointment === null) return null;
  return (
    <section className="card stack" aria-labelledby="invitation-h">
      <h2 id="invitation-h">{t('invitation.heading')}</h2>
      {error && <p className="status warn">{error.message}</p>}
      {mail && mayAct && <Proposed key={mail.appointment} id={id} mail={mail} />}
      {mail && !mayAct && mail.appointment !== null && (
        <p>{t('invitation.proposed', { time: whenOf(mail.appointment) })}</p>
      )}
      {mail && mail.mails.length > 0 && (
        <ol className="history">
          {mail.mails.map((one) => (
            <li key={`${one.kind}-${one.made_at}`}>
              {MAIL_KINDS[one.kind]}
              <br />
              <span className={mailShape(one)}>{mailWords(one, whenOf(one.done_at ?? one.made_at))}</span>
            </li>
          ))}
        </ol>
      )}
      {mail && mayAct && mail.is_on && mail.has_address && (
        <div className="row">
          <button type="button" className="btn dense" onClick={() => !sending.isPending && sending.mutate()}>
            {sending.isPending ? t('action.doing') : isNew ? t('invitation.send') : t('invitation.sendAgain')}
          </button>
          {!isNew && <span className="small soft">{t('invitation.sendAgainHint')}</span>}
        </div>
      )}
      {mail && mayAct && mail.is_on && !mail.has_address && <p className="small soft">{t('invitation.noAddress')}</p>}
      {sending.error && <FieldError id="send-e" message={sending.error.message} told />}
    </section>
  );
}

function Proposed({ id, mail }: { id: string; mail: InterviewMail }) {
  const field = useId();
  const client = useQueryClient();
  const [time, setTime] = useState(mail.appointment === null ? '' : fieldOf(mail.appointment));
  const onSuccess = (mail: InterviewMail) => client.setQueryData(mailOf(id).queryKey, mail);
  const at = instantOf(time);
  const saving = useMutation({ mutationFn: (at: number) => setAppointment(id, at, zoneHere()), onSuccess });
  const takingBack = useMutation({ mutationFn: () => takeBackAppointment(id), onSuccess });
  const isBusy = saving.isPending || takingBack.isPending;
  const isTold = mail.is_on && mail.mails.some(({ state }) => state === 'sent');
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy && at !== null) saving.mutate(at);
      }}
    >
      <Field
        id={field}
        label={t('invitation.time')}
        optional
        hint={isTold ? t('invitation.toldHint') : t('invitation.timeHint')}
        error={saving.error?.message ?? takingBack.error?.message}
        errorTold
      >
        {(props) => (
          <input {...props} type="datetime-local" value={time} onChange={({ target }) => setTime(target.value)} />
        )}
      </Field>
      <div className="row">
        <button type="submit" className="btn dense" disabled={at === null || at === mail.appointment}>
          {saving.isPending ? t('action.doing') : t('invitation.propose')}
        </button>
        {mail.appointment !== null && (
          <button type="button" className="btn plain dense" onClick={() => !isBusy && takingBack.mutate()}>
            {takingBack.isPending ? t('action.doing') : t('invitation.takeBack')}
          </button>
        )}
      </div>
    </form>
  );
}
