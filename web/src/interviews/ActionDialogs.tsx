import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { Link } from 'wouter';
import type { InterviewRow, NewLink, Receipt } from '../api/contract';
import { cancelInterview, deleteInterview, endInterview, makeLink, suggest } from '../api/interviews';
import { t } from '../texts';
import { Copy } from '../ui/Copy';
import { Dialog } from '../ui/Dialog';
import { Field, FieldError } from '../ui/Field';
import { LocalHint } from '../ui/LocalHint';
import { untilOf } from '../ui/until';
import { AgainDialog } from './AgainDialog';
import type { Action } from './actions';
import { ReceiptFacts } from './ReceiptFacts';
import { nameOf } from './states';

interface ActionDialogProps {
  action: Action;
  row: InterviewRow;
  onClose: () => void;
  onListen: () => void;
  /** The interview is deleted. */
  onDeleted?: (() => void) | undefined;
}

/** Asks before something is done, and says what came of it. */
export function ActionDialog({ action, row, onClose, onListen, onDeleted }: ActionDialogProps) {
  const name = nameOf(row);
  const { id } = row;
  switch (action) {
    case 'listen':
      return (
        <Dialog
          heading={t('listen.asked', { name })}
          onSafe={onClose}
          buttons={
            <>
              <button type="button" className="btn primary" data-safe onClick={onListen}>
                {t('listen.listen')}
              </button>
              <button type="button" className="btn" onClick={onClose}>
                {t('listen.notNow')}
              </button>
            </>
          }
        >
          <p>{t('listen.about')}</p>
        </Dialog>
      );
    case 'note':
      return <NoteDialog row={row} onClose={onClose} />;
    case 'end':
      return (
        <Asked
          heading={t('action.endAsked', { name })}
          safe={t('action.goOn')}
          word={t('action.endIt')}
          onClose={onClose}
          onDo={() => endInterview(id)}
        >
          <p>{t('action.endAbout')}</p>
        </Asked>
      );
    case 'cancel':
      return (
        <Asked
          heading={t('action.cancelAsked', { name })}
          safe={t('action.keepIt')}
          word={t('action.cancelIt')}
          onClose={onClose}
          onDo={() => cancelInterview(id)}
        >
          <p>{t('action.cancelAbout')}</p>
        </Asked>
      );
    case 'link':
      return <LinkDialog row={row} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog row={row} onClose={onClose} onDeleted={onDeleted} />;
    case 'again':
      return <AgainDialog row={row} onClose={onClose} />;
  }
}

interface AskedProps {
  heading: string;
  /** The answer that changes nothing. */
  safe: string;
  /** The answer that does it. */
  word: string;
  onClose: () => void;
  onDo: () => Promise<unknown>;
  children: ReactNode;
}

function Asked({ heading, safe, word, onClose, onDo, children }: AskedProps) {
  const client = useQueryClient();
  const doing = useMutation({
    mutationFn: onDo,
    onSuccess: () => {
      client.invalidateQueries({ queryKey: ['interview'] });
      onClose();
    },
  });
  return (
    <Dialog
      heading={heading}
      onSafe={onClose}
      buttons={
        <>
          <button type="button" className="btn primary" data-safe onClick={onClose}>
            {safe}
          </button>
          <button type="button" className="btn danger" onClick={() => !doing.isPending && doing.mutate()}>
            {doing.isPending ? t('action.doing') : word}
          </button>
        </>
      }
    >
      {children}
      {doing.error && <FieldError id="asked-e" message={doing.error.message} told />}
    </Dialog>
  );
}

const NOTE_MAX = 300;

/** What the interviewer may ask about, in the midst of the interview. */
function NoteDialog({ row, onClose }: { row: InterviewRow; onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState('');
  const [isSent, setSent] = useState(false);
  const [wrong, setWrong] = useState<string>();
  const sending = useMutation({ mutationFn: () => suggest(row.id, text.trim()), onSuccess: () => setSent(true) });

  function send() {
    if (sending.isPending) return;
    const chars = [...text.trim()].length;
    const found =
      chars === 0 ? t('note.empty') : chars > NOTE_MAX ? t('mend.longLine', { chars, most: NOTE_MAX }) : undefined;
    setWrong(found);
    if (!found) sending.mutate();
  }

  if (isSent)
    return (
      <Dialog
        key="sent"
        heading={t('note.sent')}
        onSafe={onClose}
        buttons={
          <button type="button" className="btn primary" data-safe onClick={onClose}>
            {t('listen.close')}
          </button>
        }
      >
        <p>{t('note.sentAbout')}</p>
      </Dialog>
    );
  return (
    <Dialog
      key="asked"
      heading={t('note.heading', { name: nameOf(row) })}
      onSafe={onClose}
      buttons={
        <>
          <button type="button" className="btn primary" onClick={send}>
            {sending.isPending ? t('note.sending') : t('note.send')}
          </button>
          <button type="button" className="btn" onClick={onClose}>
            {t('listen.notNow')}
          </button>
        </>
      }
    >
      <Field id={id} label={t('note.label')} hint={t('note.hint')} error={wrong ?? sending.error?.message} errorTold>
        {(props) => (
          <textarea {...props} rows={3} value={text} onChange={({ target }) => setText(target.value)} data-safe />
        )}
      </Field>
    </Dialog>
  );
}

/** A new link, after asking: the one before is dead then. */
function LinkDialog({ row, onClose }: { row: InterviewRow; onClose: () => void }) {
  const id = useId();
  const [made, setMade] = useState<NewLink>();
  const making = useMutation({ mutationFn: () => makeLink(row.id), onSuccess: setMade });
  const name = nameOf(row);
  if (!made)
    return (
      <Dialog
        key="asked"
        heading={t('action.linkAsked', { name })}
        onSafe={onClose}
        buttons={
          <>
            <button type="button" className="btn" data-safe onClick={onClose}>
              {t('action.keepLink')}
            </button>
            <button type="button" className="btn primary" onClick={() => !making.isPending && making.mutate()}>
              {making.isPending ? t('action.doing') : t('action.linkIt')}
            </button>
          </>
        }
      >
        <p>{t('action.linkAbout')}</p>
        {making.error && <FieldError id={`${id}-e`} message={making.error.message} told />}
      </Dialog>
    );
  const link = new URL(made.link, location.origin).href;
  return (
    <Dialog
      key="made"
      heading={t('action.linkMade', { name })}
      onSafe={onClose}
      buttons={
        <>
          <Copy text={link} className="btn primary">
            {t('link.copy')}
          </Copy>
          <button type="button" className="btn" onClick={onClose}>
            {t('listen.close')}
          </button>
        </>
      }
    >
      <p>{t('link.send', { until: untilOf(made.expires_at) })}</p>
      <LocalHint />
      <div className="field">
        <label htmlFor={id}>{t('link.label')}</label>
        <input id={id} readOnly value={link} onFocus={(event) => event.target.select()} data-safe />
      </div>
    </Dialog>
  );
}

function DeleteDialog({ row, onClose, onDeleted }: Pick<ActionDialogProps, 'row' | 'onClose' | 'onDeleted'>) {
  const client = useQueryClient();
  const [receipt, setReceipt] = useState<Receipt>();
  const deleting = useMutation({ mutationFn: () => deleteInterview(row.id), onSuccess: setReceipt });

  function close() {
    client.invalidateQueries({ queryKey: ['interviews'] });
    onClose();
    onDeleted?.();
  }

  if (receipt)
    return (
      <Dialog
        key="receipt"
        heading={t('action.deleted')}
        onSafe={close}
        buttons={
          <button type="button" className="btn primary" data-safe onClick={close}>
            {t('listen.close')}
          </button>
        }
      >
        <p>{t('action.receiptAbout')}</p>
        <ReceiptFacts receipt={receipt} />
        <p>
          <Link href="/receipts">{t('receipts.all')}</Link>
        </p>
      </Dialog>
    );
  return (
    <Dialog
      key="asked"
      heading={t('action.deleteAsked', { name: nameOf(row) })}
      onSafe={onClose}
      buttons={
        <>
          <button type="button" className="btn primary" data-safe onClick={onClose}>
            {t('action.keepIt')}
          </button>
          <button type="button" className="btn danger" onClick={() => !deleting.isPending && deleting.mutate()}>
            {deleting.isPending ? t('action.doing') : t('action.deleteIt')}
          </button>
        </>
      }
    >
      <p>{t('action.deleteAbout')}</p>
      {deleting.error && <FieldError id="delete-e" message={deleting.error.message} told />}
    </Dialog>
  );
}
