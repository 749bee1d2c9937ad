import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Candidate, Transcript } from '../../api/client';
import { isFinal } from '../../api/final';
import { afterOf } from '../../api/queries';
import { t } from '../../texts';
import { Frame, Loading } from '../../ui/Frame';
import { Notice, Outdated } from '../../ui/Notice';
import { Turns } from '../../ui/Turns';
import { LanguageSwitch } from '../LanguageSwitch';
import { Refused } from '../Refused';
import { TrialNotice } from '../TrialNotice';
import { copyOf } from './copy';
import { DataCard } from './DataCard';
import { FeedbackForm } from './FeedbackForm';
import { NotedCard } from './NotedCard';
import { OwnReport } from './OwnReport';
import { OwnTurns } from './OwnTurns';
import { ReviewCard } from './ReviewCard';
import { afterwardsOf } from './requests';

/** C03: how it ended, what comes next, all that was said with a place to put it right, and what they think of it. */
export function AfterPage({ token }: { token: string }) {
  const { data, error } = useQuery(afterOf(token));
  // What is on the page stays there; only a first load can be refused.
  if (data) return <Shown token={token} {...data} trouble={error?.message} />;
  if (error) return <Refused status={error.status} message={error.message} />;
  return (
    <Frame title={t('after.title')} page="after">
      <Loading />
    </Frame>
  );
}

interface ShownProps {
  token: string;
  candidate: Candidate;
  transcript: Transcript;
  trouble: string | undefined;
}

function Shown({ token, candidate, transcript, trouble }: ShownProps) {
  const isOver = isFinal(null, transcript.state);
  // A server that offers nothing of it, or fails, leaves the transcript alone.
  const { data: afterwards } = useQuery({ ...afterwardsOf(token), enabled: isOver });
  const { interviewer, stages } = candidate;
  const corrections = afterwards?.corrections ?? [];
  const names = { you: t('you'), interviewer, corrected: t('after.yourVersion') };
  return (
    <Frame
      title={isOver ? t('after.title') : t('after.notOver')}
      about={candidate.role}
      tools={<LanguageSwitch />}
      page="after"
    >
      {trouble && <Outdated why={trouble} />}
      <Heading token={token} candidate={candidate} transcript={transcript} />
      <TrialNotice candidate={candidate} isOver={isOver} />
      <div className="stack cards">
        {afterwards && (afterwards.next || afterwards.contact) && (
          <section className="card" aria-labelledby="next-h">
            <h2 id="next-h">{t('after.next')}</h2>
            {afterwards.next && <p className="told">{afterwards.next}</p>}
            {afterwards.contact && <p>{t('after.contact', { contact: afterwards.contact })}</p>}
          </section>
        )}
        {afterwards?.offers.includes('practice') && <ReviewCard token={token} />}
        {afterwards?.offers.includes('report') && <OwnReport token={token} />}
        <section className="card" aria-labelledby="heard-h">
          <h2 id="heard-h">{t('after.heard')}</h2>
          <p className="soft">{afterwards ? t('after.putRight') : t('after.misheard')}</p>
          {afterwards ? (
            <OwnTurns token={token} candidate={candidate} turns={transcript.turns} corrections={corrections} />
          ) : (
            <Turns transcript={transcript} you={t('you')} interviewer={interviewer} stages={stages} />
          )}
        </section>
        {afterwards?.noted && <NotedCard token={token} noted={afterwards.noted} />}
        {afterwards && <FeedbackForm token={token} given={afterwards.feedback} />}
        {afterwards && (
          <DataCard
            token={token}
            isRequested={afterwards.deletion_requested}
            copy={copyOf(transcript, corrections, names)}
          />
        )}
      </div>
    </Frame>
  );
}

function Heading({ token, candidate, transcript }: { token: string; candidate: Candidate; transcript: Transcript }) {
  switch (transcript.state) {
    case 'completed':
      return <Head heading={ended(candidate.name, transcript.end)}>{afterEnd(transcript.end)}</Head>;
    case 'interrupted':
      return (
        <>
          <Head heading={t('after.fault')}>{t('after.notYou')}</Head>
          <Notice kind="warn" icon="warn" heading={t('after.cannotGoOn')}>
            <p>{t('after.askForLink')}</p>
          </Notice>
        </>
      );
    case 'stopped':
      return (
        <>
          <Head heading={t('accommodation.stopped')}>{t('after.savedSoFar')}</Head>
          <Notice icon="info" heading={t('after.canGoOn')}>
            <p>{t('accommodation.mayGoOn')}</p>
            <div className="row">
              <Link className="btn primary" href={`/i/${token}`}>
                {t('after.back')}
              </Link>
            </div>
          </Notice>
        </>
      );
    case 'waiting':
    case 'in_progress':
      return (
        <>
          <Head heading={t('after.notOver')}>{t('after.savedSoFar')}</Head>
          <Notice icon="info" heading={t('after.canGoOn')}>
            <div className="row">
              <Link className="btn primary" href={`/i/${token}`}>
                {t('after.back')}
              </Link>
            </div>
          </Notice>
        </>
      );
  }
}

function Head({ heading, children }: { heading: string; children: string }) {
  return (
    <div className="head">
      <div>
        <h1>{heading}</h1>
        <p>{children}</p>
      </div>
    </div>
  );
}

/** The ends of H13, as the candidate should read them. */
function ended(name: string, end: Transcript['end']): string {
  switch (end) {
    case 'candidate_ended':
      return t('after.endedEarly');
    case 'candidate_left':
    case 'no_show':
      return t('after.away');
    case 'candidate_silent':
      return t('after.silent');
    case 'technical':
      return t('after.fault');
    case 'operator':
      return t('after.operator');
    case 'out_of_time':
      return t('after.outOfTime', { name });
    case 'abuse':
      return t('after.abuse');
    case 'completed':
    // For the candidate it is as complete as any.
    case 'max_turns':
    case null:
    case undefined:
      return t('after.completed', { name });
  }
}

/** What to know then. */
function afterEnd(end: Transcript['end']): string {
  switch (end) {
    case 'candidate_left':
    case 'no_show':
    case 'candidate_silent':
    case 'operator':
      return t('after.savedSoFarAsk');
    case 'technical':
      return t('after.notYou');
    case 'candidate_ended':
    case 'out_of_time':
    case 'abuse':
    case 'completed':
    case 'max_turns':
    case null:
    case undefined:
      return t('after.saved');
  }
}
