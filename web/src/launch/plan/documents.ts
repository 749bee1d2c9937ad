import type { DocumentText } from '../../api/client';
import { t } from '../../texts';

/** A document of the form. One that could not be read stays in the list to say why, and is not sent. */
export type DocumentDraft = { id: string; name: string } & Reading;

export type Reading =
  | { state: 'reading' }
  /**
   * `cut`: the document had more text than is read of one. `passedOver`: what else was not read, a sentence each,
   * as the server says it.
   */
  | { state: 'read'; text: string; characters: number; cut: boolean; passedOver?: readonly string[] }
  | { state: 'failed'; why: string };

/** What the file dialog offers; the server reads the same. */
export const ENDINGS: readonly string[] = ['.txt', '.md', '.pdf', '.docx', '.csv'];

export const DOCUMENTS_MAX = 10;
const BYTES_MAX = 10 * 1024 * 1024;
const CHARACTERS_MAX = 400_000;

/** What of a file is looked at before it is sent. */
export type FileFacts = Pick<File, 'name' | 'size'>;

let documentsMade = 0;
/** Documents of the page as it was loaded before have other ids. */
const LOAD = Date.now().toString(36);

/** A row for each file, in order; what is wrong with one is said before it is sent. */
export function draftsOf(files: readonly FileFacts[], before: readonly DocumentDraft[]): DocumentDraft[] {
  const added: DocumentDraft[] = [];
  for (const file of files) {
    const why = refusal(file, [...before, ...added]);
    added.push({ id: freshId(), name: file.name, ...(why ? { state: 'failed', why } : { state: 'reading' }) });
  }
  return added;
}

/** Rows for documents that are text already; those that are there are not taken twice. */
export function draftsOfTexts(texts: readonly DocumentText[], before: readonly DocumentDraft[]): DocumentDraft[] {
  const isThere = (name: string) => before.some((document) => document.state === 'read' && document.name === name);
  return texts
    .filter(({ name }) => !isThere(name))
    .map(({ name, text }) => ({ id: freshId(), name, ...readingOf(text, false) }));
}

/** A text that was read. */
export function readingOf(text: string, cut: boolean, passedOver: readonly string[] = []): Reading {
  return { state: 'read', text, characters: charactersOf(text), cut, passedOver };
}

/** The documents that can be sent. */
export function textsOf(documents: readonly DocumentDraft[]): DocumentText[] {
  return documents.flatMap((document) =>
    document.state === 'read' ? [{ name: document.name, text: document.text }] : [],
  );
}

/** What has to be mended before the documents can be sent. */
export function checkDocuments(documents: readonly DocumentDraft[]): string | undefined {
  let characters = 0;
  for (const document of documents) {
    if (document.state === 'reading') return t('mend.reading', { name: document.name });
    if (document.state !== 'read') continue;
    if (!document.text.trim()) return t('mend.emptyDocument', { name: document.name });
    characters += document.characters;
  }
  const count = textsOf(documents).length;
  if (count > DOCUMENTS_MAX) return t('mend.manyDocuments', { number: count, most: DOCUMENTS_MAX });
  if (characters > CHARACTERS_MAX) return t('mend.longDocuments', { characters, most: CHARACTERS_MAX });
  return undefined;
}

/** How many characters a text has, as the server counts them. */
export function charactersOf(text: string): number {
  let characters = 0;
  for (const _ of text) characters += 1;
  return characters;
}

/** Why a file is not sent at all. */
export function refusal({ name, size }: FileFacts, before: readonly DocumentDraft[]): string | undefined {
  const ending = name.slice(name.lastIndexOf('.')).toLowerCase();
  const used = before.filter((document) => document.state !== 'failed');
  if (!name.includes('.') || !ENDINGS.includes(ending)) return t('plan.otherKind', { name });
  if (size === 0) return t('plan.emptyFile', { name });
  // Rounded up: 10.01 MB are not told as 10, of which 10 are the most.
  if (size > BYTES_MAX) return t('plan.largeFile', { name, size: Math.ceil((size * 10) / 1024 ** 2) / 10 });
  if (used.some((document) => document.name === name)) return t('plan.sameName', { name });
  if (used.length >= DOCUMENTS_MAX) return t('plan.oneTooMany', { name, most: DOCUMENTS_MAX });
  return undefined;
}

function freshId(): string {
  documentsMade += 1;
  return `document-${LOAD}-${documentsMade}`;
}
