import { useEffect, useRef, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import type { ListQuery, Sort, State } from '../api/contract';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { useMay } from '../frame/SignedIn';
import { t } from '../texts';
import { Notice } from '../ui/Notice';
import { Attention } from './Attention';
import { InterviewTable, type Order } from './InterviewTable';
import { Listening } from './Listening';
import { NotLive } from './NotLive';
import { DoingDialog, useDoing } from './RowActions';
import { STATE_WORDS, STATES } from './states';
import { useList, useSettled } from './useList';

const PAGE = 50;
const SORTS: readonly Sort[] = ['made_at', 'name', 'state', 'updated_at'];

/** U04: all interviews, live. */
export function InterviewsPage() {
  const [address, setAddress] = useSearchParams();
  const [typed, setTyped] = useState(address.get('search') ?? '');
  const search = useSettled(typed, 300);
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const state = STATES.find((known) => known === address.get('state'));
  const order: Order = {
    sort: SORTS.find((known) => known === address.get('sort')) ?? 'updated_at',
    descending: address.get('order') !== 'up',
  };
  const asked: ListQuery = { state, search: search.trim(), ...order, max: PAGE, after: cursors.at(-1) };
  const { shown, error, isFetching, isOld, refetch, live, said } = useList(asked);
  const doing = useDoing();
  const mayAct = useMay('recruiter');
  const finder = useFinder();
  const heading = useRef<HTMLHeadingElement>(null);

  /** What is asked for stands in the address, so that a reload and the way back find it. */
  function ask(change: Record<string, string>) {
    setCursors([]);
    setAddress(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(change)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  }

  function turn(next: readonly string[]) {
    setCursors(next);
    heading.current?.focus();
  }

  const counts = shown?.page.counts ?? {};
  const all = STATES.reduce((sum, known) => sum + (counts[known] ?? 0), 0);
  const rows = shown?.page.rows ?? [];
  const isFiltered = Boolean(state || search.trim());
  const from = Number(cursors.at(-1) ?? 0);
  return (
    <RecruiterFrame title={t('frame.interviews')} page="wide">
      <div className="head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {t('frame.interviews')}
          </h1>
          <p>
            {t('list.sum', {
              running: counts.in_progress ?? 0,
              waiting: (counts.waiting ?? 0) + (counts.paused ?? 0),
              done: counts.completed ?? 0,
            })}
          </p>
        </div>
        {mayAct && (
          <Link className="btn primary" href="/openings">
            {t('list.invite')}
          </Link>
        )}
      </div>
      <p className="sr" role="status">
        {said}
      </p>
      {doing.heard && <Listening key={doing.heard.id} row={doing.heard} onStop={() => doing.hear(undefined)} />}
      <Attention rows={rows} onListen={(row) => doing.choose('listen', row)} />
      {shown && <NotLive live={live} at={shown.at} />}
      {error && (
        <Notice
          kind="bad"
          icon="warn"
          heading={t('list.notLoaded')}
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
      <search className="tools">
        <div className="field find">
          <label className="sr" htmlFor="find">
            {t('list.find')}
          </label>
          <input
            id="find"
            type="search"
            ref={finder}
            placeholder={t('list.findHint')}
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              ask({ search: target.value });
            }}
          />
        </div>
        <div className="field">
          <label className="sr" htmlFor="state">
            {t('list.state')}
          </label>
          <select
            id="state"
            className="dense"
            value={state ?? ''}
            onChange={({ target }) => ask({ state: target.value })}
          >
            <option value="">{t('list.all', { number: all })}</option>
            {STATES.filter((known) => counts[known] || known === state).map((known: State) => (
              <option key={known} value={known}>
                {t('list.ofState', { state: STATE_WORDS[known], number: counts[known] ?? 0 })}
              </option>
            ))}
          </select>
        </div>
        {live.state === 'live' && <span className="status live push">{t('list.live')}</span>}
      </search>
      {/* Above the rows, which would move otherwise. */}
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
      {!shown && !error && <Ghosts />}
      {shown && rows.length > 0 && (
        <>
          <InterviewTable
            rows={rows}
            caption={t('list.caption')}
            order={order}
            onSort={(sort) =>
              ask({ sort, order: order.sort === sort ? (order.descending ? 'up' : '') : sort === 'name' ? 'up' : '' })
            }
            choose={doing.choose}
            isBusy={isOld && isFetching}
          />
          <nav className="row foot" aria-label={t('list.pages')}>
            <span className="small soft num">
              {t('list.range', { from: from + 1, to: from + rows.length, count: shown.page.total })}
            </span>
            {cursors.length > 0 && (
              <button type="button" className="btn dense" onClick={() => turn(cursors.slice(0, -1))}>
                {t('list.previous')}
              </button>
            )}
            {shown.page.next && (
              <button type="button" className="btn dense" onClick={() => turn([...cursors, shown.page.next ?? ''])}>
                {t('list.next')}
              </button>
            )}
          </nav>
        </>
      )}
      {shown && rows.length === 0 && (
        <div className="empty">
          {isFiltered ? (
            <>
              <h2>{search.trim() ? t('list.noMatch', { search: search.trim() }) : t('list.noneInState')}</h2>
              <p>{t('list.noMatchAbout')}</p>
              <button
                type="button"
                className="btn"
                onClick={() => {
                  setTyped('');
                  ask({ search: '', state: '' });
                }}
              >
                {t('list.clear')}
              </button>
            </>
          ) : (
            <>
              <h2>{t('list.none')}</h2>
              <p>{t('list.noneAbout')}</p>
              {mayAct && (
                <Link className="btn" href="/openings">
                  {t('list.invite')}
                </Link>
              )}
            </>
          )}
        </div>
      )}
      <p className="foot small">
        <Link href="/receipts">{t('receipts.all')}</Link>
      </p>
      <DoingDialog doing={doing} />
    </RecruiterFrame>
  );
}

/** The search field, which the key / leads to. */
function useFinder() {
  const finder = useRef<HTMLInputElement>(null);
  useEffect(() => {
    function find(event: KeyboardEvent) {
      const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, dialog');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      finder.current?.focus();
    }
    addEventListener('keydown', find);
    return () => removeEventListener('keydown', find);
  }, []);
  return finder;
}

function Ghosts() {
  return (
    <div className="table" aria-busy="true">
      <table>
        <caption className="sr">{t('loading')}</caption>
        <tbody>
          {[60, 45, 70, 50].map((width) => (
            <tr key={width}>
              <td>
                <span className="ghost" style={{ '--w': `${width}%` }} />
              </td>
              <td>
                <span className="ghost" />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export default InterviewsPage;
