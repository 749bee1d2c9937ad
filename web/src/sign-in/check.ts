import { t } from '../texts';

export const PASSWORD_MIN = 12;
const PASSWORD_MAX = 200;
const NAME_MAX = 80;

/** What is wrong with an address, said before the server is asked. */
export function checkEmail(text: string): string | undefined {
  const email = text.trim();
  if (!email) return t('mendAccount.noEmail');
  if (/\s/.test(email)) return t('mendAccount.spaceInEmail');
  const [local, host, more] = email.split('@');
  if (host === undefined) return t('mendAccount.noAt');
  if (!local) return t('mendAccount.noLocal');
  if (more !== undefined) return t('mendAccount.manyAt');
  if (!host || host.startsWith('.') || host.endsWith('.')) return t('mendAccount.noHost');
  return undefined;
}

/** What is wrong with a new password. */
export function checkPassword(text: string): string | undefined {
  const chars = [...text].length;
  if (chars < PASSWORD_MIN) return t('mendAccount.shortPassword', { count: chars, least: PASSWORD_MIN });
  if (chars > PASSWORD_MAX) return t('mend.longLine', { chars, most: PASSWORD_MAX });
  return undefined;
}

/** What is wrong with the name of a person or a key. */
export function checkName(text: string): string | undefined {
  const chars = [...text.trim()].length;
  if (chars === 0) return t('mendAccount.noName');
  if (chars > NAME_MAX) return t('mend.longLine', { chars, most: NAME_MAX });
  return undefined;
}
