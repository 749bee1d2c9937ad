import type { Role } from '../api/contract';

const RANK: Record<Role, number> = { viewer: 0, recruiter: 1, admin: 2 };

/** Whether a role may do what another one may. */
export function mayAs(has: Role, needed: Role): boolean {
  return RANK[has] >= RANK[needed];
}

const WHO = 'session.account';

/** Whether somebody else was signed in in this tab before; then what they have left in it is forgotten. */
export function isAnother(id: string, storage: Pick<Storage, 'getItem' | 'setItem' | 'clear'> = sessionStorage) {
  try {
    const before = storage.getItem(WHO);
    if (before === id) return false;
    if (before) storage.clear();
    storage.setItem(WHO, id);
    return Boolean(before);
  } catch {
    // The browser keeps nothing, so there is nothing of anybody's.
    return false;
  }
}
