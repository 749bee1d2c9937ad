import type { Invited } from '../api/contract';
import { kept } from '../launch/kept';

/** Links that were just made, by their opening: the server shows them this once. They stay until somebody is done with them. */
export const useLinks = kept<Readonly<Record<string, readonly Invited[]>>>({});

/** A cell of a CSV file that no program takes for a formula. */
export function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Who is invited by which link, and a text to paste for each, as a CSV file. */
export function csvOf(invited: readonly Invited[], origin: string, textOf: (one: Invited, link: string) => string) {
  const rows = invited.map((one) => {
    const link = new URL(one.link, origin).href;
    return [one.name, link, one.email, textOf(one, link)];
  });
  return [['name', 'link', 'email', 'text'], ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}
