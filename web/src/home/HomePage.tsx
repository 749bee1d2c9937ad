import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../api/client';
import { openings } from '../api/openings';
import * as queries from '../api/queries';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { useMay, useSession } from '../frame/SignedIn';
import { Attention } from '../interviews/Attention';
import { InterviewTable } from '../interviews/InterviewTable';
import { Listening } from '../interviews/Listening';
import { NotLive } from '../interviews/NotLive';
import { DoingDialog, useDoing } from '../interviews/RowActions';
import { OpeningTable } from '../openings/OpeningsPage';
import { t } from '../texts';
import { Notice } from '../ui/Notice';
import { openLater } from '../ui/openLater';
import { useNeeds } from './useNeeds';

const SHOWN = 8;
const MOCK = 'mock-interview';

/** What runs now, what is to be decided, and the way to everything else. */
export function HomePage() {
  const { account } = useSession();
  const mayAct = useMay('recruiter');
  const { running, toDecide, error, at, live, said } = useNeeds();
  const { data: all, error: noOpenings } = useQuery(openings);
  const doing = useDoing();
  const open = all?.filter(({ state }) => state === 'open');
  return (
    <RecruiterFrame title={t('frame.home')} page="wide">
      <div className="head">
        <div>
          <h1>{t('home.hello', { name: account.name })}</h1>
          <p>{t('home.sum', { running: running?.total ?? 0, decide: toDecide?.total ?? 0 })}</p>
        </div>
      </div>
      <p className="sr" role="status">
        {said}
      </p>
      {doing.heard && <Listening key={doing.heard.id} row={doing.heard} onStop={() => doing.hear(undefined)} />}
      <Attention rows={running?.rows ?? []} onListen={(row) => doing.choose('listen', row)} />
      {at > 0 && <NotLive live={live} at={at} />}
      {error && (
        <Notice kind="bad" icon="warn" heading={t('list.notLoaded')} told="now">
          <p>{error.message}</p>
        </Notice>
      )}
      {mayAct && <TryIt />}
      {running && running.total > 0 && (
        <section className="part" aria-labelledby="running-h">
          <h2 id="running-h">{t('home.running')}</h2>
          <InterviewTable rows={running.rows.slice(0, SHOWN)} caption={t('home.running')} choose={doing.choose} />
          {running.total > SHOWN && <Link href="/interviews">{t('interviews.all')}</Link>}
        </section>
      )}
      <section className="part" aria-labelledby="decide-h">
        <h2 id="decide-h">{t('home.toDecide')}</h2>
        {toDecide && toDecide.total > 0 ? (
          <InterviewTable rows={toDecide.rows.slice(0, SHOWN)} caption={t('home.toDecide')} choose={doing.choose} />
        ) : (
          <p className="soft">{toDecide ? t('home.nothingToDecide') : t('loading')}</p>
        )}
        {toDecide && toDecide.total > SHOWN && <Link href="/interviews?state=completed">{t('home.allCompleted')}</Link>}
      </section>
      <section className="part" aria-labelledby="openings-h">
        <div className="row">
          <h2 id="openings-h">{t('frame.openings')}</h2>
          {mayAct && (
            <Link className="btn dense push" href="/openings/new">
              {t('openings.new')}
            </Link>
          )}
        </div>
        {noOpenings && <p className="status warn">{noOpenings.message}</p>}
        {open && open.length > 0 && <OpeningTable rows={open.slice(0, SHOWN)} />}
        {open?.length === 0 && <p className="soft">{t('openings.noneAbout')}</p>}
        {open && open.length > SHOWN && <Link href="/openings">{t('openings.all')}</Link>}
      </section>
      <DoingDialog doing={doing} />
    </RecruiterFrame>
  );
}

/** An interview with oneself, at once: what candidates see and hear. */
function TryIt() {
  const { account } = useSession();
  const [trouble, setTrouble] = useState<string>();
  const { data: blueprints } = useQuery(queries.blueprints);
  const { data: roles } = useQuery(queries.roles);
  const usual =
    blueprints?.find(({ name }) => name === MOCK) ?? blueprints?.find(({ planned }) => planned === 'nothing');
  const trying = useMutation({
    mutationFn: () =>
      openLater(async () => {
        const { link } = await api.launch({
          name: account.name,
          role: roles?.roles[0] ?? t('home.anyRole'),
          level: 'mid',
          blueprint: usual?.name ?? MOCK,
          resume: '',
          job_description: '',
          terms: { practice: true, trial: true },
        });
        return link;
      }),
    onMutate: () => setTrouble(undefined),
    onError: ({ message }) => setTrouble(message),
  });
  return (
    <section className="card try" aria-labelledby="try-h">
      <div>
        <h2 id="try-h">{t('home.try')}</h2>
        <p className="soft">{t('home.tryAbout')}</p>
        {trouble && (
          <p className="error" role="alert">
            {trouble}
          </p>
        )}
      </div>
      <button type="button" className="btn primary" onClick={() => !trying.isPending && trying.mutate()}>
        {trying.isPending ? t('home.trying') : t('home.tryIt')}
      </button>
    </section>
  );
}

export default HomePage;
