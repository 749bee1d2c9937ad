import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { newestBlueprints, versionOf, versionsOf } from '../api/blueprints';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Empty, Loading } from '../ui/Frame';
import { versionName } from './BlueprintsPage';
import { CopyDialog } from './CopyDialog';
import { Editor } from './Editor';
import { History } from './History';

/** A blueprint: its files, and how they came to be. */
export function BlueprintPage({ name }: { name: string }) {
  const { data: versions, error } = useQuery(versionsOf(name));
  const { data: rows } = useQuery(newestBlueprints);
  const number = versions?.[0]?.number;
  const text = useQuery({
    ...versionOf(name, number ?? 0),
    enabled: number !== undefined,
    placeholderData: keepPreviousData,
  });
  const [isCopied, setCopied] = useState(false);
  const mayCopy = useMay('recruiter');
  const row = rows?.find((row) => row.name === name);
  const title = row?.title ?? name;
  const failed = error ?? text.error;
  return (
    <RecruiterFrame title={title} page="wide">
      <div className="head">
        <div>
          <p className="small">
            <Link href="/blueprints">{t('frame.blueprints')}</Link>
          </p>
          <h1>{title}</h1>
          {number !== undefined && (
            <p>
              {number === 0 ? t('blueprints.shipped') : t('blueprints.number', { version: versionName(number) })}{' '}
              {t('blueprints.frozen')}
            </p>
          )}
        </div>
        {mayCopy && number !== undefined && (
          <button type="button" className="btn" onClick={() => setCopied(true)}>
            {t('blueprints.copy')}
          </button>
        )}
      </div>
      {failed ? (
        <Empty heading={t('blueprints.notLoaded')}>
          <p>{failed.message}</p>
          <Link href="/blueprints">{t('blueprints.all')}</Link>
        </Empty>
      ) : text.data && versions ? (
        <>
          <Editor newest={text.data} />
          <History name={name} versions={versions} />
        </>
      ) : (
        <Loading />
      )}
      {isCopied && number !== undefined && (
        <CopyDialog name={name} title={title} number={number} onClose={() => setCopied(false)} />
      )}
    </RecruiterFrame>
  );
}

export default BlueprintPage;
