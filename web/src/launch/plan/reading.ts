import { api, Failure } from '../../api/client';
import type { DocumentDraft, Reading } from './documents';
import { patiently, queueOf } from './send';

/** The server reads two documents at once. */
const inTurn = queueOf(2);

type SetDocuments = (next: (documents: readonly DocumentDraft[]) => readonly DocumentDraft[]) => void;

/** Has a file read, and its row told what came of it; a row that was removed meanwhile stays away. */
export async function readFile(id: string, file: File, setDocuments: SetDocuments) {
  const reading = await readText(file);
  setDocuments((now) =>
    now.map((document) => (document.id === id ? { id, name: document.name, ...reading } : document)),
  );
}

/** The text of a file, or why there is none. */
export function readText(file: File) {
  return inTurn(() => patiently(() => api.readDocument(file))).then(read, failed);
}

function read({
  text,
  characters,
  cut,
  passed_over: passedOver = [],
}: Awaited<ReturnType<typeof api.readDocument>>): Extract<Reading, { state: 'read' }> {
  return { state: 'read', text, characters, cut, passedOver };
}

function failed(why: unknown): Extract<Reading, { state: 'failed' }> {
  return { state: 'failed', why: why instanceof Failure ? why.message : String(why) };
}
