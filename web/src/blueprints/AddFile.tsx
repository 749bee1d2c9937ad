import { type FormEvent, useState } from 'react';
import type { BlueprintFile } from '../api/blueprints';
import { t } from '../texts';
import { Field } from '../ui/Field';

interface AddFileProps {
  files: readonly BlueprintFile[];
  /** The open file, if it may go. */
  removable: string | undefined;
  onAdd: (name: string) => void;
  onRemove: (name: string) => void;
}

/** A file more, or one less; `blueprint.toml` names the stages that have one. */
export function AddFile({ files, removable, onAdd, onRemove }: AddFileProps) {
  const [name, setName] = useState('');
  const [error, setError] = useState<string>();
  function add(event: FormEvent) {
    event.preventDefault();
    const wanted = name.trim();
    if (!/^(phrases\.toml|[a-z0-9][a-z0-9-]*\.md)$/.test(wanted)) return setError(t('blueprints.fileName'));
    if (files.some((file) => file.name === wanted)) return setError(t('blueprints.fileThere'));
    setError(undefined);
    setName('');
    onAdd(wanted);
  }
  return (
    <details className="more">
      <summary>{t('blueprints.moreFiles')}</summary>
      <form className="stack" noValidate onSubmit={add}>
        <Field
          id="file-name"
          label={t('blueprints.newFile')}
          hint={t('blueprints.newFileHint')}
          error={error}
          errorTold
        >
          {(props) => (
            <input
              {...props}
              value={name}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={({ target }) => setName(target.value)}
            />
          )}
        </Field>
        <div className="row">
          <button type="submit" className="btn dense">
            {t('blueprints.addFile')}
          </button>
          {removable && (
            <button type="button" className="btn plain dense" onClick={() => onRemove(removable)}>
              {t('blueprints.removeFile', { name: removable })}
            </button>
          )}
        </div>
      </form>
    </details>
  );
}
