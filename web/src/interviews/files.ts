import { t } from '../texts';

/** What is in a file, by a part of its name; the first one that fits counts. */
const KNOWN: readonly (readonly [string, string])[] = [
  ['transcript', t('file.transcript')],
  ['summary', t('file.summary')],
  ['facts', t('file.facts')],
  ['backlog', t('file.backlog')],
];

const ENDINGS: Partial<Record<string, string>> = {
  txt: t('file.text'),
  md: t('file.text'),
  json: t('file.data'),
  jsonl: t('file.data'),
  csv: t('file.data'),
};

/** What a file is, in plain words. */
export function whatIs(name: string): string {
  const known = KNOWN.find(([part]) => name.includes(part));
  const ending = name.split('.').at(-1) ?? '';
  return known?.[1] ?? ENDINGS[ending] ?? t('file.other');
}
