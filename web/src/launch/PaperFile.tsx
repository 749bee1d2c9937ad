import { useEffect, useRef, useState } from 'react';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { FieldError } from '../ui/Field';
import { ENDINGS, refusal } from './plan/documents';
import { readText } from './plan/reading';

interface PaperFileProps {
  /** The field that its text goes into. */
  id: string;
  /** What the field is called. */
  label: string;
  text: string;
  onText: (text: string) => void;
}

type State =
  | { kind: 'nothing' }
  | { kind: 'reading'; name: string }
  /** `before`: what stood there. */
  | { kind: 'read'; name: string; before: string; text: string; cut: boolean; passedOver: readonly string[] }
  | { kind: 'failed'; why: string };

/** Puts the text of a file into a field, where it can be read and changed. */
export function PaperFile({ id, label, text, onText }: PaperFileProps) {
  const [state, setState] = useState<State>({ kind: 'nothing' });
  const now = useRef({ text, onText, isThere: true });
  useEffect(() => {
    now.current = { text, onText, isThere: true };
    return () => {
      now.current.isThere = false;
    };
  });

  async function take(file: File) {
    const why = refusal(file, []);
    if (why) return setState({ kind: 'failed', why });
    setState({ kind: 'reading', name: file.name });
    const reading = await readText(file);
    const { text: before, onText, isThere } = now.current;
    if (!isThere) return;
    if (reading.state !== 'read') return setState({ kind: 'failed', why: reading.why });
    onText(reading.text);
    const { text, cut, passedOver = [] } = reading;
    setState({ kind: 'read', name: file.name, before, text, cut, passedOver });
  }

  function takeBack(before: string) {
    onText(before);
    setState({ kind: 'nothing' });
    document.getElementById(id)?.focus();
  }

  return (
    <>
      <div className="row">
        <input
          className="sr"
          type="file"
          id={`${id}-file`}
          accept={ENDINGS.join()}
          aria-describedby={state.kind === 'failed' ? `${id}-file-e` : undefined}
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file && state.kind !== 'reading') take(file);
            // So that the same file can be chosen again.
            target.value = '';
          }}
        />
        <label className="btn dense" htmlFor={`${id}-file`}>
          {t('launch.fromFile')} <span className="sr">{t('launch.ofField', { label })}</span>
        </label>
        <span className="small soft" role="status">
          {state.kind === 'reading' && t('launch.fileReading', { name: state.name })}
          {state.kind === 'read' && t(state.cut ? 'launch.fileCut' : 'launch.fileRead', { name: state.name })}
          {state.kind === 'read' && state.passedOver.map((what) => ` ${ofServer(what)}`)}
        </span>
        {state.kind === 'read' && state.text === text && (
          <button type="button" className="btn plain dense" onClick={() => takeBack(state.before)}>
            {t('launch.fileUndo')}
          </button>
        )}
      </div>
      {state.kind === 'failed' && <FieldError id={`${id}-file-e`} message={state.why} told />}
    </>
  );
}
