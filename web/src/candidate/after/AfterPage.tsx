import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { Candidate, Transcript } from '../../api/client';
import { afterOf } from '../../api/queries';
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
    <Frame title="After your interview" page="after">
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
    <Frame title="After your interview" about={candidate.role} page="after">
      {trouble && <Outdated why={trouble} />}
      <Heading token={token} candidate={candidate} transcript={transcript} />
      <section className="card" aria-labelledby="heard-h">
        <h2 id="heard-h">What we heard</h2>
        <p className="soft">Names and numbers are easily misheard.</p>
        <Turns transcript={transcript} you="You" interviewer={candidate.interviewer} stages={candidate.stages} />
      </section>
    </Frame>
  );
}

function Heading({ token, candidate, transcript }: { token: string; candidate: Candidate; transcript: Transcript }) {
  switch (transcript.state) {
    case 'completed':
      return (
        <Head heading={ended(candidate.name, transcript.end)}>
          Everything you said is saved. You can close this page; the same link opens it again.
        </Head>
      );
    case 'interrupted':
      return (
        <>
          <Head heading="The interview stopped because of a fault on our side">
            It was not you. Your answers are saved up to where it stopped.
          </Head>
          <Notice kind="warn" icon="warn" heading="It cannot go on with this link">
            <p>Ask whoever sent you the link for a new one.</p>
          </Notice>
        </>
      );
    case 'waiting':
    case 'in_progress':
      return (
        <>
          <Head heading="The interview is not over yet">What was said so far is saved.</Head>
          <Notice icon="info" heading="You can go on">
            <div className="row">
              <Link className="btn primary" href={`/i/${token}`}>
                Back to the interview
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
      return 'You ended the interview early. That is fine.';
    case 'candidate_left':
    case 'no_show':
      return 'The interview ended while you were away';
    case 'candidate_silent':
      return 'The interview ended because we heard nothing for a long time';
    case 'technical':
      return 'The interview stopped because of a fault on our side';
    case 'operator':
      return 'The interview was ended by whoever runs it';
    case 'out_of_time':
      return `Thank you, ${name}. The time was over.`;
    case 'abuse':
      return 'The interview ended because of insulting words';
    case 'completed':
    // For the candidate it is as complete as any.
    case 'max_turns':
    case null:
    case undefined:
      return `Thank you, ${name}. That was all.`;
  }
}
