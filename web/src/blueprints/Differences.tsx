import type { BlueprintFile } from '../api/blueprints';
import { t } from '../texts';
import { differences, type Line } from './diff';

const MARKS = { same: ' ', old: '−', new: '+', gap: '' } as const;

/** What differs between two versions, file by file. */
export function Differences({ older, newer }: { older: readonly BlueprintFile[]; newer: readonly BlueprintFile[] }) {
  const files = differences(older, newer);
  if (files.length === 0) return <p>{t('blueprints.same')}</p>;
  return files.map(({ name, lines }) => (
    <section key={name} aria-label={name}>
      <h3>{name}</h3>
      <ol className="differences">
        {lines.map((line) => (
          <li key={`${line.kind}-${line.number}`} className={line.kind}>
            <LineOf line={line} />
          </li>
        ))}
      </ol>
    </section>
  ));
}

function LineOf({ line }: { line: Line }) {
  if (line.kind === 'gap') return t('blueprints.gap', { count: line.count });
  return (
    <>
      <span className="num" aria-hidden="true">
        {MARKS[line.kind]} {line.number}
      </span>
      {line.kind !== 'same' && (
        <span className="sr">{t(line.kind === 'old' ? 'blueprints.out' : 'blueprints.in')}</span>
      )}
      <span>{line.text}</span>
    </>
  );
}
