import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import type { InterviewView, Report } from '../api/contract';
import { afterOf, interviewOf, reportOf } from '../api/interviews';
import { RecruiterFrame } from '../frame/RecruiterFrame';
import { AboutReport } from '../report/AboutReport';
import { AfterCard, Wishes } from '../report/AfterCard';
import { CostCard } from '../report/CostCard';
import { Coverage } from '../report/Coverage';
import { Criteria } from '../report/Criteria';
import { DecisionForm } from '../report/DecisionForm';
import { Exports } from '../report/Exports';
import { Latency } from '../report/Latency';
import { NotedCard } from '../report/NotedFacts';
import { Notes } from '../report/Notes';
import { OpenPoints } from '../report/OpenPoints';
import { OverallLine } from '../report/OverallLine';
import { ReportState } from '../report/ReportState';
import { TimelineCard } from '../report/TimelineCard';
import { TranscriptCard } from '../report/TranscriptCard';
import { PlayerContext, usePlayer } from '../report/usePlayer';
import { ShareButton } from '../share/ShareButton';
import { t } from '../texts';
import { ofServer } from '../texts/server';
import { Empty, Loading } from '../ui/Frame';
import { Notice, Outdated } from '../ui/Notice';
import { dayOf, whenOf } from '../ui/time';
import { Attention } from './Attention';
import { attemptWords } from './attempts';
import { Backlog } from './Backlog';
import { Facts } from './Facts';
import { Files } from './Files';
import { Invitation } from './Invitation';
import { Listening } from './Listening';
import { DoingDialog, RowActions, useDoing } from './RowActions';
import { SimulatedNotice } from './SimulatedNotice';
import { Summary } from './Summary';
import { detailOf, isOver, nameOf, shapeOf, wordOf } from './states';
import { Topics } from './Topics';

/** U05: what was said in one interview, what became of its plan, the report, and what people decide. */
export function InterviewPage({ id }: { id: string }) {
  const { data: view, error } = useQuery(interviewOf(id));
  const title = view ? t('interviews.with', { name: nameOf(view.interview) }) : t('interviews.title');
  return (
    <RecruiterFrame title={title} page="report">
      {view && error && <Outdated why={error.message} />}
      {view ? <Shown view={view} /> : error ? <Refused message={error.message} /> : <Loading />}
    </RecruiterFrame>
  );
}

function Shown({ view }: { view: InterviewView }) {
  const { interview, interviewer, stages, transcript, has_recording, plan, files } = view;
  const { id, state } = interview;
  const [, go] = useLocation();
  const doing = useDoing();
  const [isDeleted, setDeleted] = useState(false);
  const over = isOver(state);
  const report = useQuery({ ...reportOf(id), enabled: over && !isDeleted });
  const { data: after } = useQuery({ ...afterOf(id), enabled: over && !isDeleted });
  const name = nameOf(interview);
  const timeline = report.data && report.data.state !== 'none' ? report.data.timeline : undefined;
  const canHear = has_recording && over;
  const player = usePlayer(transcript.turns, canHear, timeline?.duration_ms ?? transcript.turns.at(-1)?.at_ms ?? 0);
  const isReady = report.data?.state === 'ready';
  // Where no model has read the answers, people do.
  const answersFirst = report.data?.made?.by === 'rules';
  const listed = report.data && report.data.state !== 'none' ? report.data : undefined;
  // Planned questions have a card of their own, which says what became of each: once is enough.
  const covered = plan && plan.questions.length > 0 ? undefined : listed;
  return (
    <PlayerContext value={{ canHear: canHear && !player.trouble, hear: player.hear, current: player.current }}>
      <Head view={view} doing={doing} />
      {interview.simulated && <SimulatedNotice manner={view.manner} />}
      {interview.trial && (
        <Notice icon="info" heading={t('ownTry.heading')}>
          <p>{t('ownTry.nobody')}</p>
        </Notice>
      )}
      {doing.heard && <Listening key={doing.heard.id} row={doing.heard} onStop={() => doing.hear(undefined)} />}
      <Attention isHere rows={[interview]} onListen={(row) => doing.choose('listen', row)} />
      {interview.opening && !over && !interview.simulated && <Invitation id={id} isOpen={state === 'invited'} />}
      {over && (
        <>
          <Wishes after={after} />
          <ReportState id={id} report={report.data} error={report.error} />
          <section className="views" aria-label={t('report.views')}>
            <MachineView report={report.data} isMissing={Boolean(report.error)} />
            {!interview.simulated && !interview.trial && <DecisionForm id={id} />}
            <Quality report={report.data} />
          </section>
          <Contents
            report={listed}
            answersFirst={answersFirst}
            hasAnswers={Boolean(covered)}
            hasPlan={Boolean(plan)}
            hasTimeline={canHear || Boolean(timeline)}
          />
        </>
      )}
      {answersFirst && covered && <Coverage report={covered} isOpen />}
      {isReady && report.data && <Criteria report={report.data} id={id} />}
      {!answersFirst && covered && <Coverage report={covered} />}
      {plan && over && transcript.turns.length > 0 && <Summary id={id} />}
      {plan && <Facts plan={plan} isOver={over} />}
      {plan && plan.topics.length > 0 && <Topics plan={plan} />}
      {plan && plan.questions.length > 0 && (
        <Backlog questions={plan.questions} turns={transcript.turns} isOver={over} />
      )}
      {over && (
        <TimelineCard
          id={id}
          timeline={timeline}
          player={player}
          hasRecording={canHear}
          sides={t('interviews.sides', { name, interviewer })}
        />
      )}
      <TranscriptCard
        turns={transcript.turns}
        stages={stages}
        name={name}
        interviewer={interviewer}
        corrections={after?.corrections ?? []}
      />
      {listed && <Latency id={id} report={listed} />}
      {listed && <OpenPoints report={listed} />}
      {listed && <NotedCard noted={after?.noted} report={listed} />}
      <AfterCard after={after} />
      <Notes id={id} />
      <Files id={id} names={files} />
      {over && <CostCard id={id} reportIs={report.data?.state ?? 'none'} />}
      {listed && <AboutReport id={id} report={listed} />}
      <DoingDialog
        doing={doing}
        onDeleted={() => {
          setDeleted(true);
          go('/interviews');
        }}
      />
    </PlayerContext>
  );
}

function Head({ view, doing }: { view: InterviewView; doing: ReturnType<typeof useDoing> }) {
  const { interview } = view;
  const { state, started_at, made_at } = interview;
  const detail = detailOf(interview, dayOf);
  return (
    <div className="head">
      <div>
        <p className="small">
          {interview.opening ? (
            <Link href={`/openings/${interview.opening}`}>{interview.opening_title}</Link>
          ) : (
            <Link href="/interviews">{t('interviews.all')}</Link>
          )}
        </p>
        <h1>{nameOf(interview)}</h1>
        <p>
          {[interview.role, interview.title, interview.email, whenOf(started_at ?? made_at)]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p>
          <span className={shapeOf(interview)}>{wordOf(interview)}</span>{' '}
          {detail && <span className="small">{detail}</span>}{' '}
          <span className="small soft">{attemptWords(interview)}</span>
        </p>
      </div>
      <div className="row fit">
        {isOver(state) && <ShareButton id={interview.id} />}
        {isOver(state) && <Exports id={interview.id} />}
        <RowActions row={interview} choose={doing.choose} withPage={false} />
      </div>
    </div>
  );
}

function MachineView({ report, isMissing }: { report: Report | undefined; isMissing: boolean }) {
  const overall = report?.state === 'ready' ? report.overall : undefined;
  return (
    <div className="card">
      <h2>{t('report.machine')}</h2>
      {overall && (
        <div>
          {overall.weighted !== null && (
            <p className="big num">
              {t('report.weighted', { value: overall.weighted })} <span className="of">{t('report.ofFive')}</span>
            </p>
          )}
          <OverallLine overall={overall} />
        </div>
      )}
      {report?.state === 'failed' && <p className="soft">{t('report.noView')}</p>}
      {(report?.state === 'none' || (!report && isMissing)) && <p className="soft">{t('report.none')}</p>}
      {((!report && !isMissing) || report?.state === 'making') && (
        <p>
          <span className="ghost" />
        </p>
      )}
    </div>
  );
}

function Quality({ report }: { report: Report | undefined }) {
  const quality = report && report.state !== 'none' ? report.header.quality : undefined;
  return (
    <div className="card">
      <h2>{t('report.quality')}</h2>
      {quality?.length === 0 && <p className="status ok">{t('report.qualityFine')}</p>}
      {quality && quality.length > 0 && (
        <ul className="quality">
          {quality.map((line) => (
            <li key={line}>{ofServer(line)}</li>
          ))}
        </ul>
      )}
      {!quality && <p className="soft">{t('report.none')}</p>}
    </div>
  );
}

interface ContentsProps {
  report: Report | undefined;
  answersFirst: boolean;
  hasAnswers: boolean;
  hasPlan: boolean;
  hasTimeline: boolean;
}

/** The way to the parts of a long page. */
function Contents({ report, answersFirst, hasAnswers, hasPlan, hasTimeline }: ContentsProps) {
  const rubric = report?.state === 'ready' && (['rubric-h', t('report.rubric')] as const);
  const questions =
    hasAnswers && report && report.questions.length > 0 && (['questions-h', t('coverage.heading')] as const);
  const parts = [
    ...(answersFirst ? [questions, rubric] : [rubric, questions]),
    hasPlan && (['summary-h', t('progress.summary')] as const),
    hasTimeline && (['time-h', t('timeline.short')] as const),
    ['said-h', t('interviews.said')] as const,
    report && report.timeline.latency.length > 0 && (['latency-h', t('latency.heading')] as const),
    report && (['points-h', t('points.heading')] as const),
    ['notes-h', t('notes.heading')] as const,
    report && (['about-h', t('about.heading')] as const),
  ].filter((part) => part !== false && part !== undefined);
  return (
    <nav className="toc" aria-label={t('report.contents')}>
      {parts.map(([anchor, word]) => (
        <a href={`#${anchor}`} key={anchor}>
          {word}
        </a>
      ))}
    </nav>
  );
}

function Refused({ message }: { message: string }) {
  return (
    <Empty heading={t('interviews.notLoaded')}>
      <p>{message}</p>
      <Link href="/interviews">{t('interviews.all')}</Link>
    </Empty>
  );
}

export default InterviewPage;
