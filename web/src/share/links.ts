import type { Share } from '../api/shares';

/** For how many days a link may work. */
export const DAYS: readonly number[] = [1, 7, 30];

/** Whether a link works, and if not, why. */
export function endOf(share: Pick<Share, 'revoked_at' | 'expires_at'>, now: number): 'works' | 'revoked' | 'over' {
  if (typeof share.revoked_at === 'number') return 'revoked';
  return now < share.expires_at ? 'works' : 'over';
}
