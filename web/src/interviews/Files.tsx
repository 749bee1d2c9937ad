import { fileOf } from '../api/client';
import { t } from '../texts';
import { whatIs } from './files';

/** What can be downloaded. */
export function Files({ id, names }: { id: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <section className="card downloads" aria-labelledby="files-h">
      <h2 id="files-h">{t('progress.files')}</h2>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <a href={fileOf(id, name)} download={name}>
              {name}
            </a>
            <span className="small soft">{whatIs(name)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
