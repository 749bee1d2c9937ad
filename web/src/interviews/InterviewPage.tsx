import { useQuery } from '@tanstack/react-query';
import { Trans } from 'react-i18next';
import { Link } from 'wouter';
import { type InterviewView, recordingOf } from '../api/client';
import { interviewOf } from '../api/queries';
import { t } from '../texts';
import { Empty, Frame, Loading } from '../ui/Frame';
import { Outdated } from '../ui/Notice';
import { Turns } from '../ui/Turns';
import { Backlog } from './Backlog';
import { Facts } from './Facts';
import { Files } from './Files';
import { Summary } from './Summary';
import { Topics } from './Topics';
import { nameOf, stateOf, whenOf } from './words';

/** U05: what was said in one interview and what became of its plan, for the recruiter. */
export function InterviewPage({ id }: { id: string }) {
  const { data: view, error, dataUpdatedAt } = useQuery(interviewOf(id));
  return (
    <Frame title={t('interviews.title')} page="after">
      {view && error && <Outdated why={error.message} />}
      {view ? <Shown view={view} at={dataUpdatedAt} /> : error ? <Refused message={error.message} /> : <Loading />}
    </Frame>
  );
}

interface ShownProps {
  view: InterviewView;
  /** When it was so. */
  at: number;
}

function Shown({ view, at }: ShownProps) {
  const { interview, interviewer, stages, transcript, has_recording, plan, files } = view;
  const name = nameOf(interview);
  const isOver = interview.state === 'completed' || interview.state === 'interrupted';
  return (
    <>
      <div className="head">
        <div>
          <h1>{name}</h1>
          <p>{[interview.role, interview.title, whenOf(interview)].filter(Boolean).join(' · ')}</p>
          <p>
            <Trans
              i18nKey="interviews.stands"
              values={{ state: stateOf(interview, at) }}
              components={{ all: <Link href="/" /> }}
            />
          </p>
        </div>
      </div>
      {plan && isOver && transcript.turns.length > 0 && <Summary id={interview.id} />}
      {plan && <Facts plan={plan} isOver={isOver} />}
      {plan && plan.topics.length > 0 && <Topics plan={plan} />}
      {plan && plan.questions.length > 0 && (
        <Backlog questions={plan.questions} turns={transcript.turns} isOver={isOver} />
      )}
      <Files id={interview.id} names={files} />
      {has_recording && isOver && (
        <section className="card" aria-labelledby="sound-h">
          <h2 id="sound-h">{t('interviews.recording')}</h2>
          <p className="soft">{t('interviews.sides', { name, interviewer })}</p>
          {/* biome-ignore lint/a11y/useMediaCaption: the words stand below it */}
          <audio className="full" controls preload="metadata" src={recordingOf(interview.id)} />
        </section>
      )}
      <section className="card" aria-labelledby="said-h">
        <h2 id="said-h">{t('interviews.said')}</h2>
        <p className="soft">{t('interviews.understood')}</p>
        <Turns transcript={transcript} you={name} interviewer={interviewer} stages={stages} />
      </section>
    </>
  );
}

function Refused({ message }: { message: string }) {
  return (
    <Empty heading={t('interviews.notLoaded')}>
      <p>{message}</p>
      <Link href="/">{t('interviews.all')}</Link>
    </Empty>
  );
}

export default InterviewPage;
