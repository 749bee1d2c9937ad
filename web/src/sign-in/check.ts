import { t } from '../texts';
import { addressFault } from '../ui/address';

export const PASSWORD_MIN = 12;
const PASSWORD_MAX = 200;
const NAME_MAX = 80;

/** What is wrong with an address, said before the server is asked. */
export function checkEmail(text: string): string | undefined {
  const email = text.trim();
  if (/\s/.test(email)) return t('mendAccount.spaceInEmail');
  switch (addressFault(email)) {
    case undefined:
      return undefined;
    case 'empty':
      return t('mendAccount.noEmail');
    case 'no-at':
      return t('mendAccount.noAt');
    case 'no-local':
      return t('mendAccount.noLocal');
    case 'many-at':
      return t('mendAccount.manyAt');
    case 'no-host':
      return t('mendAccount.noHost');
    case 'malformed':
      return t('mendAccount.badEmail');
  }
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
