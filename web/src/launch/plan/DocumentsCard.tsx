import { useMutation } from '@tanstack/react-query';
import { type ReactNode, type Ref, useEffect, useRef } from 'react';
import { api, type Blueprint } from '../../api/client';
import { t } from '../../texts';
import { FieldError } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import { useDocuments } from '../drafts';
import { LABELS } from '../form';
import { DocumentRow } from './DocumentRow';
import { DOCUMENTS_MAX, type DocumentDraft, draftsOf, draftsOfTexts, ENDINGS } from './documents';
import { readFile } from './reading';

interface DocumentsCardProps {
  blueprint: Blueprint;
  error: string | undefined;
}

/** The files that a plan is made from. */
export function DocumentsCard({ blueprint, error }: DocumentsCardProps) {
  const [documents, setDocuments] = useDocuments();
  const input = useRef<HTMLInputElement>(null);
  const sample = useMutation({
    mutationFn: api.sample,
    onSuccess: (texts) => setDocuments((now) => [...now, ...draftsOfTexts(texts, now)]),
  });

  function add(files: readonly File[]) {
    const added = draftsOf(files, documents);
    setDocuments((now) => [...now, ...added]);
    for (const [at, draft] of added.entries()) {
      const file = files[at];
      if (draft.state === 'reading' && file) readFile(draft.id, file, setDocuments);
    }
  }

  function remove(id: string) {
    setDocuments((now) => now.filter((document) => document.id !== id));
    input.current?.focus();
  }

  return (
    <section className="card" aria-labelledby="documents-h">
      <h2 id="documents-h">
        {LABELS.documents} <span className="opt">{t('plan.upTo', { most: DOCUMENTS_MAX })}</span>
      </h2>
      <p className="soft">{t('plan.fromDocuments')}</p>
      <div className="field">
        <p className="hint" id="documents-hint">
          {t('plan.kinds')}
        </p>
        <DropZone ref={input} isWrong={Boolean(error)} onFiles={add}>
          {blueprint.has_sample && (
            <button type="button" className="btn plain dense push" onClick={() => sample.mutate(blueprint.name)}>
              {t('plan.useSample')}
            </button>
          )}
        </DropZone>
        {error && <FieldError id="documents-e" message={error} />}
        {sample.error && <FieldError id="sample-e" message={`${t('plan.noSample')}. ${sample.error.message}`} told />}
      </div>
      {documents.length > 0 && (
        <ul className="papers" aria-label={t('plan.documents')}>
          {documents.map((document) => (
            <DocumentRow key={document.id} document={document} onRemove={() => remove(document.id)} />
          ))}
        </ul>
      )}
      <p className="sr" role="status">
        {told(documents)}
      </p>
    </section>
  );
}

interface DropZoneProps {
  ref: Ref<HTMLInputElement>;
  isWrong: boolean;
  onFiles: (files: readonly File[]) => void;
  children: ReactNode;
}

/** A file dialog, and a place that says that files can be dropped. */
function DropZone({ ref, isWrong, onFiles, children }: DropZoneProps) {
  useDrop(onFiles);
  return (
    <div className="drop">
      <input
        ref={ref}
        className="sr"
        type="file"
        multiple
        id="documents"
        accept={ENDINGS.join()}
        aria-describedby={isWrong ? 'documents-hint documents-e' : 'documents-hint'}
        aria-invalid={isWrong || undefined}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
      <label className="btn dense" htmlFor="documents">
        <Icon name="file" /> {t('plan.choose')}
      </label>
      <span className="small soft">{t('plan.orDrop')}</span>
      {children}
    </div>
  );
}

function told(documents: readonly DocumentDraft[]): string {
  const reading = documents.filter(({ state }) => state === 'reading').length;
  if (reading > 0) return t('plan.readingSays', { count: reading });
  const read = documents.filter(({ state }) => state === 'read').length;
  return read > 0 ? t('plan.readSays', { count: read }) : '';
}

/** Takes files that are dropped anywhere: beside the zone the browser would open them in place of the form. */
function useDrop(onFiles: (files: readonly File[]) => void) {
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    function over(event: DragEvent) {
      if (hasFiles(event)) event.preventDefault();
    }
    function drop(event: DragEvent) {
      if (!hasFiles(event)) return;
      event.preventDefault();
      latest.current([...(event.dataTransfer?.files ?? [])]);
    }
    window.addEventListener('dragover', over);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('drop', drop);
    };
  }, []);
}
