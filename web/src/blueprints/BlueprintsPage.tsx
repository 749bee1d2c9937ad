import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { type BlueprintRow, newestBlueprints } from '../api/blueprints';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { whenOf } from '../ui/time';
import { CopyDialog } from './CopyDialog';
import { useDrafts } from './useEditor';

/** All blueprints. */
export function BlueprintsPage() {
  const { data: rows, error } = useQuery(newestBlueprints);
  const [copied, setCopied] = useState<BlueprintRow>();
  return (
    <RecruiterFrame title={t('frame.blueprints')} page="wide">
      <div className="head">
        <div>
          <h1>{t('frame.blueprints')}</h1>
          <p>{t('blueprints.about')}</p>
        </div>
      </div>
      {error && (
        <Notice kind="bad" icon="warn" heading={t('blueprints.notLoaded')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      {!rows && !error && <Loading />}
      {rows && <BlueprintTable rows={rows} onCopy={setCopied} />}
      {copied && (
        <CopyDialog
          name={copied.name}
          title={copied.title}
          number={copied.version}
          onClose={() => setCopied(undefined)}
        />
      )}
    </RecruiterFrame>
  );
}

function BlueprintTable({ rows, onCopy }: { rows: readonly BlueprintRow[]; onCopy: (row: BlueprintRow) => void }) {
  const mayCopy = useMay('recruiter');
  const [drafts] = useDrafts();
  return (
    <div className="table cards">
      <table>
        <caption className="sr">{t('frame.blueprints')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('blueprints.title')}</th>
            <th scope="col">{t('blueprints.version')}</th>
            <th scope="col">{t('blueprints.changed')}</th>
            <th scope="col">{t('blueprints.note')}</th>
            {mayCopy && (
              <th scope="col">
                <span className="sr">{t('list.actions')}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.name}>
              <th scope="row">
                <Link href={`/blueprints/${row.name}`}>{row.title}</Link>
                {drafts[row.name] && <span className="tag">{t('blueprints.draft')}</span>}
                <br />
                <span className="soft small">
                  {row.based_on ? t('blueprints.basedOn', { name: row.name, other: row.based_on }) : row.name}
                </span>
                {!row.is_readable && (
                  <>
                    <br />
                    <span className="status bad">{t('blueprints.unreadable')}</span>
                  </>
                )}
              </th>
              <td data-label={t('blueprints.version')} className="num">
                {versionName(row.version)}
              </td>
              <td data-label={t('blueprints.changed')}>
                {row.made_at ? t('blueprints.byAt', { who: row.who, when: whenOf(row.made_at) }) : t('blueprints.dash')}
              </td>
              <td data-label={t('blueprints.note')}>{row.note || t('blueprints.dash')}</td>
              {mayCopy && (
                <td className="r">
                  <button type="button" className="btn plain dense" onClick={() => onCopy(row)}>
                    {t('blueprints.copy')} <span className="sr">{row.title}</span>
                  </button>
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a version is called: the folder's text has no number. */
export function versionName(number: number): string {
  return number === 0 ? t('blueprints.asShipped') : String(number);
}

export default BlueprintsPage;
