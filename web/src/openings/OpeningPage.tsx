import { Link } from 'wouter';
import type { ListQuery, Opening } from '../api/contract';
import { useMay } from '../frame/SignedIn';
import { Attention } from '../interviews/Attention';
import { grouped } from '../interviews/attempts';
import { InterviewTable } from '../interviews/InterviewTable';
import { Listening } from '../interviews/Listening';
import { NotLive } from '../interviews/NotLive';
import { DoingDialog, useDoing } from '../interviews/RowActions';
import { useList } from '../interviews/useList';
import { t } from '../texts';
import { Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { LinksCard } from './LinksCard';
import { useLinks } from './links';
import { OpeningFrame } from './OpeningFrame';

/** An opening and its candidates, live. */
export function OpeningPage({ id }: { id: string }) {
  return (
    <OpeningFrame id={id} place="candidates">
      {(opening) => <Candidates opening={opening} />}
    </OpeningFrame>
  );
}

function Candidates({ opening: { id, form, state } }: { opening: Opening }) {
  const asked: ListQuery = { opening: id, sort: 'made_at', descending: true, max: 200 };
  const { shown, error, refetch, live, said } = useList(asked);
  const [links, setLinks] = useLinks();
  const doing = useDoing();
  const mayAct = useMay('recruiter');
  const invited = links[id];
  const rows = grouped(shown?.page.rows ?? []);
  return (
    <>
      {invited && (
        <LinksCard invited={invited} title={form.title} onDone={() => setLinks(({ [id]: _, ...others }) => others)} />
      )}
      <p className="sr" role="status">
        {said}
      </p>
      {doing.heard && <Listening key={doing.heard.id} row={doing.heard} onStop={() => doing.hear(undefined)} />}
      <Attention rows={rows} onListen={(row) => doing.choose('listen', row)} />
      {shown && <NotLive live={live} at={shown.at} />}
      {error && (
        <Notice kind="bad" icon="warn" heading={t('list.notLoaded')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      {!shown && !error && <Loading />}
      <p className="fresh" role="status">
        {shown && shown.fresh.length > 0 && (
          <>
            {t('list.fresh', { count: shown.fresh.length })}{' '}
            <button type="button" className="btn plain dense" onClick={() => refetch()}>
              {t('list.show')}
            </button>
          </>
        )}
      </p>
      {rows.length > 0 && (
        <InterviewTable rows={rows} caption={t('opening.caption')} withOpening={false} choose={doing.choose} />
      )}
      {shown && shown.page.total > rows.length && (
        <p className="small soft foot">
          {t('opening.some', { shown: rows.length, count: shown.page.total })}{' '}
          <Link href="/interviews">{t('interviews.all')}</Link>
        </p>
      )}
      {shown && rows.length === 0 && !invited && (
        <div className="empty">
          <h2>{t('opening.none')}</h2>
          <p>{t('opening.noneAbout')}</p>
          {mayAct && state === 'open' && (
            <Link className="btn" href={`/openings/${id}/add`}>
              {t('opening.add')}
            </Link>
          )}
        </div>
      )}
      <DoingDialog doing={doing} />
    </>
  );
}

export default OpeningPage;
