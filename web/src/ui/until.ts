import { locale } from '../texts';

/** Until when a link works, in words: to the minute, for on its last day a date alone promises too much. */
export function untilOf(expiresAt: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'long', timeStyle: 'short' }).format(expiresAt);
}
