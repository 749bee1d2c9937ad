import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type BlueprintProblem, type BlueprintText, versionOf } from '../api/blueprints';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Dialog } from '../ui/Dialog';
import { Field } from '../ui/Field';
import { Notice } from '../ui/Notice';
import { AddFile } from './AddFile';
import { CodeField } from './CodeField';
import { Differences } from './Differences';
import { FileTabs } from './FileTabs';
import { useEditor } from './useEditor';

const HEAD = 'blueprint.toml';
const NOTE_MAX = 200;
const REASON_MAX = 400;

/** The files of a blueprint: each under its tab, beside what is wrong with them. */
export function Editor({ newest }: { newest: BlueprintText }) {
  const mayWrite = useMay('recruiter');
  const editor = useEditor(newest);
  const { draft, problems = [], isChanged } = editor;
  const [open, setOpen] = useState(HEAD);
  const [place, setPlace] = useState<{ line: number }>();
  const [isCompared, setCompared] = useState(false);
  const file = draft.files.find(({ name }) => name === open) ?? draft.files[0];
  const isOld = draft.based_on !== newest.number && isChanged;

  const setText = (text: string) =>
    editor.change({ files: draft.files.map((other) => (other.name === file?.name ? { ...other, text } : other)) });
  const goTo = ({ file: name, line }: BlueprintProblem) => {
    setOpen(name);
    setPlace({ line });
  };
  return (
    <div className="blueprint">
      <section className="card" aria-labelledby="files-h">
        <h2 id="files-h" className="sr">
          {t('blueprints.files')}
        </h2>
        <FileTabs
          files={draft.files}
          open={file?.name ?? ''}
          problems={problems}
          onOpen={(name) => {
            setOpen(name);
            setPlace(undefined);
          }}
        />
        {file && (
          <div role="tabpanel" id="file" aria-labelledby={`tab-${file.name}`}>
            <CodeField
              key={file.name}
              name={file.name}
              text={file.text}
              wrong={problems.filter((problem) => problem.file === file.name).map(({ line }) => line)}
              place={place}
              readOnly={!mayWrite}
              onText={setText}
            />
          </div>
        )}
        {mayWrite && (
          <AddFile
            files={draft.files}
            onAdd={(name) => {
              editor.change({ files: [...draft.files, { name, text: '' }] });
              setOpen(name);
            }}
            removable={file && file.name !== HEAD ? file.name : undefined}
            onRemove={(name) => {
              editor.change({ files: draft.files.filter((other) => other.name !== name) });
              setOpen(HEAD);
            }}
          />
        )}
      </section>
      {mayWrite && (
        <section className="card stack" aria-labelledby="wrong-h">
          <h2 id="wrong-h" tabIndex={-1} ref={editor.found}>
            {problems.length > 0 ? t('blueprints.mistakes', { count: problems.length }) : t('blueprints.save')}
          </h2>
          <Problems editor={editor} onGo={goTo} />
          {(editor.isConflict || isOld) && (
            <Notice kind="warn" icon="warn" heading={t('blueprints.conflict')} told="soon">
              <p>{t('blueprints.conflictAbout')}</p>
              <div className="row">
                <button type="button" className="btn dense" onClick={() => setCompared(true)}>
                  {t('blueprints.differs')}
                </button>
                <button type="button" className="btn dense" onClick={() => editor.save(newest.number)}>
                  {t('blueprints.saveAnyway')}
                </button>
              </div>
            </Notice>
          )}
          {editor.trouble && (
            <Notice kind="bad" icon="warn" heading={t('blueprints.notDone')} told="now">
              <p>{editor.trouble}</p>
            </Notice>
          )}
          <Field
            id="note"
            label={t('blueprints.note')}
            hint={t('blueprints.noteHint')}
            error={editor.noteError}
            errorTold
          >
            {(props) => (
              <input
                {...props}
                value={draft.note}
                maxLength={NOTE_MAX}
                autoComplete="off"
                onChange={({ target }) => editor.change({ note: target.value })}
              />
            )}
          </Field>
          <div className="row">
            <button type="button" className="btn" onClick={editor.check}>
              {editor.busy === 'check' ? t('blueprints.checking') : t('blueprints.check')}
            </button>
            <button type="button" className="btn primary" onClick={() => editor.save()}>
              {editor.busy === 'save' ? t('blueprints.saving') : t('blueprints.save')}
            </button>
          </div>
          {isChanged && (
            <div className="row">
              <button type="button" className="btn plain dense" onClick={() => setCompared(true)}>
                {t('blueprints.mine')}
              </button>
              <button type="button" className="btn plain dense" onClick={editor.forget}>
                {t('blueprints.forget')}
              </button>
            </div>
          )}
          <p className="small soft" role="status">
            {editor.said}
          </p>
        </section>
      )}
      {isCompared && (
        <MineDialog name={newest.name} number={newest.number} mine={draft.files} onClose={() => setCompared(false)} />
      )}
    </div>
  );
}

interface ProblemsProps {
  editor: ReturnType<typeof useEditor>;
  onGo: (problem: BlueprintProblem) => void;
}

/** What a check found, each with a way to its line, and a reason where a question may be kept with one. */
function Problems({ editor: { draft, problems = [], change }, onGo }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <ul className="mistakes">
      {problems.map((problem, index) => (
        <li key={`${problem.file}:${problem.line}:${problem.message}`}>
          <button type="button" className="btn plain dense" onClick={() => onGo(problem)}>
            {t('blueprints.at', { file: problem.file, line: problem.line })}
          </button>
          {problem.question && <blockquote className="small">{problem.question}</blockquote>}
          <p>{problem.message}</p>
          {problem.question && (
            <Field id={`reason-${index}`} label={t('blueprints.reason')}>
              {(props) => (
                <input
                  {...props}
                  maxLength={REASON_MAX}
                  autoComplete="off"
                  value={draft.reasons[problem.question ?? ''] ?? ''}
                  onChange={({ target }) =>
                    change({ reasons: { ...draft.reasons, [problem.question ?? '']: target.value } })
                  }
                />
              )}
            </Field>
          )}
        </li>
      ))}
    </ul>
  );
}

interface MineProps {
  name: string;
  number: number;
  mine: BlueprintText['files'];
  onClose: () => void;
}

/** What differs between the newest version and one's own text. */
function MineDialog({ name, number, mine, onClose }: MineProps) {
  const { data } = useQuery(versionOf(name, number));
  return (
    <Dialog
      heading={t('blueprints.mineHeading')}
      onSafe={onClose}
      buttons={
        <button type="button" className="btn primary" data-safe onClick={onClose}>
          {t('blueprints.close')}
        </button>
      }
    >
      {data && <Differences older={data.files} newer={mine} />}
    </Dialog>
  );
}
