import { useMutation } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { api } from '../api/client';
import type { Invited, ListLine, PastedList } from '../api/contract';
import { addCandidates, readCandidates } from '../api/openings';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Field, FieldError } from '../ui/Field';
import { type LineDraft, linesOf, mended, refusedLines, takenOf } from './pasted';
import { SendingFields } from './SendingFields';
import { NO_SENDING, sendingOf } from './sending';

const LIST_MAX_BYTES = 200_000;
const CANDIDATES_MAX = 200;

interface PasteFormProps {
  id: string;
  onAdded: (invited: readonly Invited[]) => void;
}

/** A list that is pasted or read from a CSV file, shown line by line before anybody is added. */
export function PasteForm({ id, onAdded }: PasteFormProps) {
  const field = useId();
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string>();
  const [lines, setLines] = useState<readonly LineDraft[]>();
  const [list, setList] = useState<PastedList>();
  const heading = useRef<HTMLHeadingElement>(null);
  const reading = useMutation({
    mutationFn: (text: string) => readCandidates(text),
    onSuccess: (read) => {
      setList(read);
      setLines(linesOf(read.candidates));
      requestAnimationFrame(() => heading.current?.focus());
    },
    onError: ({ message }) => setWrong(message),
  });

  function read(text: string) {
    setWrong(undefined);
    if (!text.trim()) return setWrong(t('add.noList'));
    if (new Blob([text]).size > LIST_MAX_BYTES) return setWrong(t('add.longList', { most: CANDIDATES_MAX }));
    if (!reading.isPending) reading.mutate(text);
  }

  async function take(file: File) {
    if (file.size > LIST_MAX_BYTES) return setWrong(t('add.longList', { most: CANDIDATES_MAX }));
    // The server knows what its bytes mean: spreadsheets save them in many ways.
    const found = await api.readList(file).catch((why: Error) => why);
    if (found instanceof Error) return setWrong(found.message);
    setText(found.text);
    read(found.text);
  }

  return (
    <>
      <form
        className="card stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          read(text);
        }}
      >
        <Field
          id={field}
          label={t('add.paste')}
          hint={t('add.pasteHint', { most: CANDIDATES_MAX })}
          error={wrong}
          errorTold
        >
          {(props) => (
            <textarea
              {...props}
              rows={6}
              value={text}
              spellCheck={false}
              placeholder={t('add.example')}
              onChange={({ target }) => {
                setText(target.value);
                setWrong(undefined);
              }}
            />
          )}
        </Field>
        <div className="row">
          <button type="submit" className={lines ? 'btn' : 'btn primary'}>
            {reading.isPending ? t('add.reading') : t('add.read')}
          </button>
          <input
            className="sr"
            type="file"
            id={`${field}-file`}
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file) take(file);
              target.value = '';
            }}
          />
          <label className="btn plain" htmlFor={`${field}-file`}>
            {t('add.file')}
          </label>
        </div>
      </form>
      {lines && list && (
        <Preview id={id} list={list} lines={lines} setLines={setLines} heading={heading} onAdded={onAdded} />
      )}
    </>
  );
}

interface PreviewProps extends PasteFormProps {
  list: PastedList;
  lines: readonly LineDraft[];
  setLines: (lines: readonly LineDraft[]) => void;
  heading: React.RefObject<HTMLHeadingElement | null>;
}

/** The lines as they were read, with what is wrong beside each. */
function Preview({ id, list, lines, setLines, heading, onAdded }: PreviewProps) {
  const taken = takenOf(lines);
  const left = lines.length - taken.length;
  const [trouble, setTrouble] = useState<string>();
  const [sending, setSending] = useState(NO_SENDING);
  const adding = useMutation({
    mutationFn: () => addCandidates(id, taken, sendingOf(sending)),
    onSuccess: onAdded,
    onError: ({ problem, message }) => {
      setLines(refusedLines(lines, problem.fields));
      setTrouble(message);
    },
  });
  const change = (line: LineDraft, next: LineDraft) => setLines(lines.map((other) => (other === line ? next : other)));
  return (
    <section className="card stack" aria-labelledby="preview-h">
      <h2 id="preview-h" tabIndex={-1} ref={heading}>
        {t('add.found', { count: lines.length })}
      </h2>
      {left > 0 && <p>{t('add.left', { count: left })}</p>}
      <OtherLines list={list} />
      <div className="table cards plainer people">
        <table>
          <caption className="sr">{t('add.caption')}</caption>
          <thead>
            <tr>
              <th scope="col">{t('add.take')}</th>
              <th scope="col">{t('field.name')}</th>
              <th scope="col">{t('add.email')}</th>
              <th scope="col">{t('add.problem')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, place) => {
              const who = line.name || t('add.line', { number: line.line });
              return (
                <tr key={keyOf(place)}>
                  <td data-label={t('add.take')}>
                    <input
                      type="checkbox"
                      checked={line.isTaken}
                      aria-label={t('add.takeOf', { who })}
                      onChange={({ target }) => change(line, { ...line, isTaken: target.checked })}
                    />
                  </td>
                  <td data-label={t('field.name')}>
                    <input
                      value={line.name}
                      aria-label={t('add.nameOf', { number: line.line })}
                      onChange={({ target }) => change(line, mended(line, { name: target.value }))}
                    />
                  </td>
                  <td data-label={t('add.email')}>
                    <input
                      value={line.email}
                      aria-label={t('add.emailOf', { number: line.line })}
                      onChange={({ target }) => change(line, mended(line, { email: target.value }))}
                    />
                  </td>
                  <td data-label={t('add.problem')}>
                    {line.problem ? (
                      <FieldError id={`problem-${place}`} message={ofServer(line.problem)} />
                    ) : (
                      <span className="status ok">{t('add.fine')}</span>
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <SendingFields sending={sending} onChange={setSending} />
      {trouble && <FieldError id="add-e" message={trouble} told />}
      <div className="row">
        <button
          type="button"
          className="btn primary"
          onClick={() => {
            if (adding.isPending) return;
            setTrouble(taken.length === 0 ? t('add.nobody') : undefined);
            if (taken.length > 0) adding.mutate();
          }}
        >
          {adding.isPending ? t('add.adding') : t('add.addMany', { count: taken.length })}
        </button>
        {!sending.byMail && <span className="small soft">{t('launch.noMail')}</span>}
      </div>
    </section>
  );
}

/** Several people stand in one line, and they keep their places. */
const keyOf = (place: number) => `person-${place}`;

/** The lines of the list that are nobody: what was not understood, and what was taken as a heading. */
function OtherLines({ list: { headings, unread, unread_more } }: { list: PastedList }) {
  const inWords = ({ line, text }: ListLine) => t('add.lineText', { number: line, text });
  return (
    <>
      {unread.length > 0 && (
        <div>
          <p>{t('add.unread', { count: unread.length + unread_more })}</p>
          <ul>
            {unread.map((line) => (
              <li key={line.line}>{inWords(line)}</li>
            ))}
          </ul>
          {unread_more > 0 && <p>{t('add.unreadMore', { count: unread_more })}</p>}
        </div>
      )}
      {headings.length > 0 && (
        <p className="small soft">{t('add.headings', { lines: headings.map(inWords).join(', ') })}</p>
      )}
    </>
  );
}
