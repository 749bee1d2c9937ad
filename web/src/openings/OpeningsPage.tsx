import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { OpeningRow } from '../api/contract';
import { openings } from '../api/openings';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { dayOf } from '../ui/time';
import { NEW, useDrafts } from './draft';
import { OPENING_STATES } from './words';

/** All openings. */
export function OpeningsPage() {
  const { data: rows, error, refetch } = useQuery(openings);
  const [drafts] = useDrafts();
  const mayMake = useMay('recruiter');
  const [withClosed, setWithClosed] = useState(false);
  const shown = rows?.filter(({ state }) => withClosed || state === 'open');
  const closed = (rows?.length ?? 0) - (rows?.filter(({ state }) => state === 'open').length ?? 0);
  return (
    <RecruiterFrame title={t('frame.openings')} page="wide">
      <div className="head">
        <div>
          <h1>{t('frame.openings')}</h1>
          <p>{t('openings.about')}</p>
        </div>
        {mayMake && (
          <Link className="btn primary" href="/openings/new">
            {drafts[NEW] ? t('openings.goOn') : t('openings.new')}
          </Link>
        )}
      </div>
      {error && (
        <Notice
          kind="bad"
          icon="warn"
          heading={t('openings.notListed')}
          told="now"
          action={
            <button type="button" className="btn dense" onClick={() => refetch()}>
              {t('tryAgain')}
            </button>
          }
        >
          <p>{error.message}</p>
        </Notice>
      )}
      {!rows && !error && <Loading />}
      {rows?.length === 0 && (
        <div className="empty">
          <h2>{t('openings.none')}</h2>
          <p>{t('openings.noneAbout')}</p>
          {mayMake && (
            <Link className="btn" href="/openings/new">
              {t('openings.new')}
            </Link>
          )}
        </div>
      )}
      {rows && rows.length > 0 && (
        <>
          {closed > 0 && (
            <label className="check">
              <input type="checkbox" checked={withClosed} onChange={({ target }) => setWithClosed(target.checked)} />
              <span>{t('openings.withClosed', { count: closed })}</span>
            </label>
          )}
          {shown && shown.length > 0 ? <OpeningTable rows={shown} /> : <p>{t('openings.allClosed')}</p>}
        </>
      )}
      {mayMake && (
        <p className="small soft foot">
          {t('openings.oneOff')} <Link href="/launch">{t('openings.oneOffLink')}</Link>
        </p>
      )}
    </RecruiterFrame>
  );
}

/** Openings with the counts of their candidates. */
export function OpeningTable({ rows }: { rows: readonly OpeningRow[] }) {
  return (
    <div className="table cards">
      <table>
        <caption className="sr">{t('openings.caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('openings.opening')}</th>
            <th scope="col">{t('launch.interview')}</th>
            <th scope="col" className="r">
              {t('openings.invited')}
            </th>
            <th scope="col" className="r">
              {t('openings.running')}
            </th>
            <th scope="col" className="r">
              {t('openings.done')}
            </th>
            <th scope="col" className="r">
              {t('openings.toDecide')}
            </th>
            <th scope="col">{t('openings.changedAt')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Link href={`/openings/${row.id}`}>{row.title}</Link>
                <br />
                <span className="soft small">{[row.role, row.level].filter(Boolean).join(' · ')}</span>
                {row.state === 'closed' && <span className="tag">{OPENING_STATES.closed}</span>}
              </th>
              <td data-label={t('launch.interview')}>{row.blueprint_title}</td>
              <td data-label={t('openings.invited')} className="r num">
                {row.invited}
              </td>
              <td data-label={t('openings.running')} className="r num">
                {row.running > 0 ? <span className="status live">{row.running}</span> : row.running}
              </td>
              <td data-label={t('openings.done')} className="r num">
                {row.done}
              </td>
              <td data-label={t('openings.toDecide')} className="r num">
                {row.to_decide > 0 ? <b>{row.to_decide}</b> : row.to_decide}
              </td>
              <td data-label={t('openings.changedAt')} className="num">
                {dayOf(row.updated_at)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export default OpeningsPage;
