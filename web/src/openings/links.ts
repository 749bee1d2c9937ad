import type { Invited } from '../api/contract';
import { kept } from '../launch/kept';

/** Links that were just made, by their opening: the server shows them this once. They stay until somebody is done with them. */
export const useLinks = kept<Readonly<Record<string, readonly Invited[]>>>({});

/** A cell of a CSV file that no program takes for a formula. */
export function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The names and links as a CSV file. */
export function csvOf(invited: readonly Invited[], origin: string): string {
  const rows = invited.map(({ name, link }) => [name, new URL(link, origin).href]);
  return [['name', 'link'], ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}
