import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Decision, Note, Report } from '../api/contract';
import { type SharedReport, sharedBy } from '../api/shares';
import { shapeOf, VERDICTS, wordOf } from '../interviews/states';
import { Coverage } from '../report/Coverage';
import { Criteria } from '../report/Criteria';
import { OpenPoints } from '../report/OpenPoints';
import { OverallLine } from '../report/OverallLine';
import { tokenIn } from '../sign-in/setupCode';
import { t } from '../texts';
import { Empty, Frame, Loading } from '../ui/Frame';
import { Notice } from '../ui/Notice';
import { dayOf, whenOf } from '../ui/time';

/** U05: a report as somebody without an account reads it, with a link that works for a while. */
export function SharedPage() {
  const [token] = useState(() => tokenIn(location.hash));
  const { data, error } = useQuery({ ...sharedBy(token), enabled: token !== '' });
  if (!token || error)
    return (
      <Frame title={t('failed.badLink')} page="narrow">
        <Empty heading={t('failed.badLink')}>
          <p>{error?.message ?? t('noPage.check')}</p>
        </Empty>
      </Frame>
    );
  return (
    <Frame title={data ? t('shared.title', { name: data.name }) : t('shared.report')} page="report">
      {data ? <Shown shared={data} /> : <Loading />}
    </Frame>
  );
}

function Shown({ shared }: { shared: SharedReport }) {
  const { name, role, title, started_at, expires_at, report, decision, notes } = shared;
  const about = [role, title, typeof started_at === 'number' && dayOf(started_at)].filter(Boolean);
  return (
    <>
      <div className="head">
        <div>
          <h1>{name}</h1>
          <p>{about.join(' · ')}</p>
          {report.header.outcome && (
            <p>
              <span className={shapeOf({ state: 'completed', outcome: report.header.outcome })}>
                {wordOf({ state: 'completed', outcome: report.header.outcome })}
              </span>
            </p>
          )}
          <p className="small soft">{t('shared.until', { when: whenOf(expires_at) })}</p>
        </div>
      </div>
      <Notice icon="info" heading={t('shared.machine')}>
        <p>{t('shared.machineAbout')}</p>
      </Notice>
      {report.state === 'making' && (
        <Notice icon="info" heading={t('report.making')} told="soon">
          <p>{t('shared.making')}</p>
        </Notice>
      )}
      {report.state === 'failed' && <Notice kind="bad" icon="warn" heading={t('report.failed')} told="now" />}
      {report.state === 'ready' && <Whole report={report} />}
      {decision && <Decided decision={decision} />}
      {notes.length > 0 && <SharedNotes notes={notes} />}
    </>
  );
}

function Whole({ report }: { report: Report }) {
  const { overall, header } = report;
  const answersFirst = report.made?.by === 'rules';
  return (
    <>
      <section className="card" aria-labelledby="machine-h">
        <h2 id="machine-h">{t('report.machine')}</h2>
        {overall.weighted !== null && (
          <p className="big num">
            {t('report.weighted', { value: overall.weighted })} <span className="of">{t('report.ofFive')}</span>
          </p>
        )}
        <OverallLine overall={overall} />
        <ul className="quality">
          {header.quality.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </section>
      {answersFirst && <Coverage report={report} isOpen />}
      <Criteria report={report} />
      {!answersFirst && <Coverage report={report} />}
      <OpenPoints report={report} />
    </>
  );
}

function Decided({ decision: { current } }: { decision: Decision }) {
  return (
    <section className="card" aria-labelledby="decided-h">
      <h2 id="decided-h">{t('list.decision')}</h2>
      {current ? (
        <>
          <p>
            <b>{VERDICTS[current.verdict]}</b>
          </p>
          {current.reason && <p className="lines">{current.reason}</p>}
          <p className="small soft">{[current.by, whenOf(current.at)].join(' · ')}</p>
        </>
      ) : (
        <p className="soft">{t('decision.nobody')}</p>
      )}
    </section>
  );
}

function SharedNotes({ notes }: { notes: readonly Note[] }) {
  return (
    <section className="card" aria-labelledby="shared-notes-h">
      <h2 id="shared-notes-h">{t('notes.heading')}</h2>
      <ol className="history">
        {notes.map(({ text, by, at }, index) => (
          <li key={`${index}-${at}`}>
            <p className="lines">{text}</p>
            <p className="small soft">{[by, whenOf(at)].join(' · ')}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

export default SharedPage;
