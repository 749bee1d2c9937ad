import { api, Failure } from '../../api/client';
import type { DocumentDraft, Reading } from './documents';
import { patiently, queueOf } from './send';

/** The server reads two documents at once. */
const inTurn = queueOf(2);

type SetDocuments = (next: (documents: readonly DocumentDraft[]) => readonly DocumentDraft[]) => void;

/** Has a file read, and its row told what came of it; a row that was removed meanwhile stays away. */
export async function readFile(id: string, file: File, setDocuments: SetDocuments) {
  const reading = await inTurn(() => patiently(() => api.readDocument(file))).then(read, failed);
  setDocuments((now) =>
    now.map((document) => (document.id === id ? { id, name: document.name, ...reading } : document)),
  );
}

function read({ text, characters, cut }: Awaited<ReturnType<typeof api.readDocument>>): Reading {
  return { state: 'read', text, characters, cut };
}

function failed(why: unknown): Reading {
  return { state: 'failed', why: why instanceof Failure ? why.message : String(why) };
}
