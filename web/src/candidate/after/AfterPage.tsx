import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Candidate, Transcript } from '../../api/client';
import { afterOf } from '../../api/queries';
import { t } from '../../texts';
import { Frame, Loading } from '../../ui/Frame';
import { Notice, Outdated } from '../../ui/Notice';
import { Turns } from '../../ui/Turns';
import { Refused } from '../Refused';

/** C03, thin: how it ended, and all that was said, from the journal. */
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
  return (
    <Frame title={t('after.title')} about={candidate.role} page="after">
      {trouble && <Outdated why={trouble} />}
      <Heading token={token} candidate={candidate} transcript={transcript} />
      <section className="card" aria-labelledby="heard-h">
        <h2 id="heard-h">{t('after.heard')}</h2>
        <p className="soft">{t('after.misheard')}</p>
        <Turns transcript={transcript} you={t('you')} interviewer={candidate.interviewer} stages={candidate.stages} />
      </section>
    </Frame>
  );
}

function Heading({ token, candidate, transcript }: { token: string; candidate: Candidate; transcript: Transcript }) {
  switch (transcript.state) {
    case 'completed':
      return <Head heading={ended(candidate.name, transcript.end)}>{t('after.saved')}</Head>;
    case 'interrupted':
      return (
        <>
          <Head heading={t('after.fault')}>{t('after.notYou')}</Head>
          <Notice kind="warn" icon="warn" heading={t('after.cannotGoOn')}>
            <p>{t('after.askForLink')}</p>
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
