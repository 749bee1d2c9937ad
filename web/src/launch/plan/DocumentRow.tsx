import { useState } from 'react';
import { t } from '../../texts';
import { ofServer } from '../../texts/server';
import { FieldError } from '../../ui/Field';
import { Icon } from '../../ui/Icon';
import { useDocuments } from '../drafts';
import { type DocumentDraft, readingOf } from './documents';

interface DocumentRowProps {
  document: DocumentDraft;
  onRemove: () => void;
}

/** A document: how far its reading is, and the text that was read. */
export function DocumentRow({ document, onRemove }: DocumentRowProps) {
  const { name } = document;
  return (
    <li className="paper">
      <div className="row">
        <Icon name="file" />
        <div className="named">
          <b>{name}</b>
          <State document={document} />
        </div>
        <button
          type="button"
          className="btn plain dense"
          aria-label={t('plan.removeDocument', { name })}
          onClick={onRemove}
        >
          {t('plan.remove')}
        </button>
      </div>
      {document.state === 'failed' && <FieldError id={`${document.id}-e`} message={document.why} told />}
      {document.state === 'read' && <ReadText {...document} passedOver={document.passedOver ?? []} />}
    </li>
  );
}

function State({ document }: { document: DocumentDraft }) {
  switch (document.state) {
    case 'reading':
      return <span className="status live">{t('plan.reading')}</span>;
    case 'failed':
      return <span className="status bad">{t('plan.notRead')}</span>;
    case 'read':
      return (
        <span className="row">
          <span className="status ok">{t('plan.characters', { count: document.characters })}</span>
          {document.cut && (
            <span className="tag" title={t('plan.cutWhy')}>
              {t('plan.cut')}
            </span>
          )}
        </span>
      );
  }
}

interface ReadTextProps {
  id: string;
  name: string;
  text: string;
  cut: boolean;
  passedOver: readonly string[];
}

/** It is in the page only while it is looked at: it can be long. */
function ReadText({ id, name, text, cut, passedOver }: ReadTextProps) {
  const [, setDocuments] = useDocuments();
  const [isOpen, setOpen] = useState(false);
  const change = (text: string) =>
    setDocuments((now) =>
      now.map((document) => (document.id === id ? { id, name, ...readingOf(text, cut, passedOver) } : document)),
    );
  return (
    <>
      {passedOver.map((what) => (
        <p className="hint" key={what}>
          {ofServer(what)}
        </p>
      ))}
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>{t('plan.look')}</summary>
        {cut && <p className="hint">{t('plan.cutWhy')}</p>}
        {isOpen && (
          <textarea
            className="read"
            aria-label={t('plan.textOf', { name })}
            rows={8}
            value={text}
            onChange={(event) => change(event.target.value)}
          />
        )}
      </details>
    </>
  );
}
