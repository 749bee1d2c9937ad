import type { MailBrief, MailKind } from '../api/contract';
import { t } from '../texts';
import { ofServer } from '../texts/server';

export const MAIL_KINDS: Record<MailKind, string> = {
  invitation: t('invitation.invitation'),
  reminder: t('invitation.reminder'),
  moved: t('invitation.moved'),
  called_off: t('invitation.calledOff'),
};

type Told = Pick<MailBrief, 'state' | 'problem'>;

/** What became of a mail, in one line. */
export function mailWords({ state, problem }: Told, day: string): string {
  if (state === 'sent') return t('invitation.sent', { day });
  if (state === 'failed') return t('invitation.failed', { problem: ofServer(problem) });
  return problem ? t('invitation.again', { problem: ofServer(problem) }) : t('invitation.waits');
}

/** The shape beside the words. */
export const mailShape = ({ state, problem }: Told) =>
  state === 'failed' ? 'status bad' : state === 'waiting' && problem ? 'status warn' : 'small soft';
