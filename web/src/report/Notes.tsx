import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { addNote, notesOf } from '../api/interviews';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Field } from '../ui/Field';
import { whenOf } from '../ui/time';

const NOTE_MAX = 4000;

/** What people of the team note about an interview. */
export function Notes({ id }: { id: string }) {
  const client = useQueryClient();
  const mayAct = useMay('recruiter');
  const { data: notes, error } = useQuery(notesOf(id));
  const [text, setText] = useState('');
  const [wrong, setWrong] = useState<string>();
  const adding = useMutation({
    mutationFn: (text: string) => addNote(id, text),
    onSuccess: (notes) => {
      client.setQueryData(notesOf(id).queryKey, notes);
      setText('');
    },
  });

  function add(event: FormEvent) {
    event.preventDefault();
    if (adding.isPending) return;
    const chars = [...text.trim()].length;
    const found =
      chars === 0 ? t('notes.empty') : chars > NOTE_MAX ? t('mend.longLine', { chars, most: NOTE_MAX }) : undefined;
    setWrong(found);
    if (!found) adding.mutate(text.trim());
  }

  return (
    <section className="card" aria-labelledby="notes-h">
      <h2 id="notes-h" tabIndex={-1}>
        {t('notes.heading')}
      </h2>
      {error && <p className="status warn">{error.message}</p>}
      {notes && notes.length > 0 && (
        <ol className="history">
          {notes.map(({ text, by, at }, index) => (
            <li key={`${index}-${at}`}>
              <p className="lines">{text}</p>
              <p className="small soft">{[by, whenOf(at)].join(' · ')}</p>
            </li>
          ))}
        </ol>
      )}
      {notes?.length === 0 && <p className="soft">{t('notes.none')}</p>}
      {mayAct && (
        <form className="stack" noValidate onSubmit={add}>
          <Field
            id="note"
            label={t('notes.label')}
            hint={t('notes.hint')}
            error={wrong ?? adding.error?.message}
            errorTold
          >
            {(props) => (
              <textarea
                {...props}
                rows={2}
                value={text}
                onChange={({ target }) => {
                  setText(target.value);
                  setWrong(undefined);
                }}
              />
            )}
          </Field>
          <div className="row">
            <button type="submit" className="btn dense">
              {adding.isPending ? t('add.adding') : t('notes.add')}
            </button>
          </div>
        </form>
      )}
    </section>
  );
}
