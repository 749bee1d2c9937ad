import type { AboutKind, ActorKind, AuditRow } from '../api/contract';
import { VERDICTS } from '../interviews/states';
import { t } from '../texts';
import { ofServer } from '../texts/server';

/** How much of an id is shown of something that is gone. */
const ID_SHOWN = 8;

/** Who it was: a program is told from a person who is called the same. */
export function nameOfActor(kind: ActorKind, name: string): string {
  if (kind === 'person' || kind === 'unknown') return kind === 'unknown' ? ofServer(name) : name;
  return kind === 'key' ? t('admin.aKey', { name }) : ofServer(name);
}

/** More about a deed, in the words of the pages. */
export function detailOf({ deed, detail }: Pick<AuditRow, 'deed' | 'detail'>): string {
  if (deed === 'decided' && Object.hasOwn(VERDICTS, detail)) return VERDICTS[detail as keyof typeof VERDICTS];
  // The hash of the last entry that was removed: it is for programs.
  return deed === 'forgot_deeds' ? '' : ofServer(detail);
}

const PAGES: Readonly<Record<AboutKind, ((id: string) => string) | undefined>> = {
  interview: (id) => `/interviews/${encodeURIComponent(id)}`,
  opening: (id) => `/openings/${encodeURIComponent(id)}`,
  blueprint: (id) => `/blueprints/${encodeURIComponent(id)}`,
  account: undefined,
  key: undefined,
  webhook: undefined,
};

/** What it was done to, and where that is. */
export function aboutOf({ object, about }: Pick<AuditRow, 'object' | 'about'>): { name: string; href?: string } {
  if (!about) return { name: object.length > ID_SHOWN * 2 ? `${object.slice(0, ID_SHOWN)}…` : object };
  const href = PAGES[about.kind]?.(object);
  const name = about.name || t('launch.interview');
  return href ? { name, href } : { name };
}

/** When a day of the calendar begins here, or the one some days later, in milliseconds since 1970. */
export function dayFrom(day: string, later: number): number | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return new Date(year, month - 1, date + later).getTime();
}
