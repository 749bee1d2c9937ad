import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { AuditQuery, AuditRow } from '../api/contract';
import { audit, auditChain, auditChoices, exportOfAudit } from '../api/session';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { whenOf } from '../ui/time';
import { aboutOf, dayFrom, detailOf, nameOfActor } from './deeds';
import { SettingsFrame } from './SettingsFrame';

const PART = 100;

/** Who did what, when. */
export function AuditPage() {
  const [chosen, setChosen] = useState({ actor: '', deed: '', day: '' });
  const asked: AuditQuery = {
    actor: chosen.actor || undefined,
    deed: chosen.deed || undefined,
    from: dayFrom(chosen.day, 0),
    before: dayFrom(chosen.day, 1),
  };
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['audit', 'rows', asked],
    queryFn: ({ pageParam }) => audit(asked, pageParam, PART),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (part) => (part.length < PART ? undefined : part.at(-1)?.number),
  });
  const rows = data?.pages.flat() ?? [];
  return (
    <SettingsFrame place="audit" about={t('admin.auditAbout')}>
      <Chain />
      <Filters chosen={chosen} onChoose={(change) => setChosen((now) => ({ ...now, ...change }))} asked={asked} />
      {error && (
        <Notice kind="bad" icon="warn" heading={t('admin.notLoaded')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      {!data && !error && <Loading />}
      {data && rows.length === 0 && (
        <p className="soft" role="status">
          {chosen.actor || chosen.deed || chosen.day ? t('admin.noMatch') : t('admin.noAudit')}
        </p>
      )}
      {rows.length > 0 && <Rows rows={rows} />}
      {hasNextPage && (
        <p className="foot">
          <button type="button" className="btn dense" onClick={() => !isFetchingNextPage && fetchNextPage()}>
            {isFetchingNextPage ? t('loading') : t('admin.more')}
          </button>
        </p>
      )}
    </SettingsFrame>
  );
}

/** Whether the trail is as it was written. */
function Chain() {
  const { data: chain } = useQuery(auditChain);
  if (!chain || chain.first === null) return null;
  if (chain.fault === null) return <p className="small soft">{t('admin.chainIntact', { number: chain.last })}</p>;
  return (
    <Notice kind="bad" icon="warn" heading={t('admin.chainBroken')} told="now">
      <p>{t('admin.chainUpTo', { number: chain.intact_up_to })}</p>
    </Notice>
  );
}

interface FiltersProps {
  chosen: { actor: string; deed: string; day: string };
  onChoose: (change: Partial<FiltersProps['chosen']>) => void;
  asked: AuditQuery;
}

/** By whom, what and when; and what is found as a file. */
function Filters({ chosen, onChoose, asked }: FiltersProps) {
  const { data: choices } = useQuery(auditChoices);
  const deeds = (choices?.deeds ?? []).map(({ deed, words }) => [deed, ofServer(words)] as const);
  return (
    <search className="tools">
      <div className="field">
        <label htmlFor="by">{t('admin.who')}</label>
        <select
          id="by"
          className="dense"
          value={chosen.actor}
          onChange={({ target }) => onChoose({ actor: target.value })}
        >
          <option value="">{t('admin.anybody')}</option>
          {choices?.actors.map(({ actor, kind, name }) => (
            <option key={actor} value={actor}>
              {nameOfActor(kind, name)}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="deed">{t('action.what')}</label>
        <select
          id="deed"
          className="dense"
          value={chosen.deed}
          onChange={({ target }) => onChoose({ deed: target.value })}
        >
          <option value="">{t('admin.anything')}</option>
          {deeds.map(([deed, words]) => (
            <option key={deed} value={deed}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <div className="field">
        <label htmlFor="day">{t('admin.day')}</label>
        <input id="day" type="date" value={chosen.day} onChange={({ target }) => onChoose({ day: target.value })} />
      </div>
      <a className="btn dense push" href={exportOfAudit(asked)} download>
        {t('admin.exportAudit')}
      </a>
    </search>
  );
}

function Rows({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <div className="table cards">
      <table>
        <caption className="sr">{t('admin.audit')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('list.when')}</th>
            <th scope="col">{t('admin.who')}</th>
            <th scope="col">{t('action.what')}</th>
            <th scope="col">{t('admin.object')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.number}>
              <td data-label={t('list.when')} className="num">
                {whenOf(row.at)}
              </td>
              <td data-label={t('admin.who')}>{nameOfActor(row.actor.kind, row.who)}</td>
              <td data-label={t('action.what')}>{[ofServer(row.what), detailOf(row)].filter(Boolean).join(' · ')}</td>
              <td data-label={t('admin.object')}>
                <Subject row={row} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What it was done to: by its name where it is still there, else what is left of it. */
function Subject({ row }: { row: AuditRow }) {
  const { name, href } = aboutOf(row);
  if (href) return <Link href={href}>{name}</Link>;
  return row.about ? <span>{name}</span> : <code title={row.object}>{name}</code>;
}

export default AuditPage;
