import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { api, type InterviewView, recordingOf } from '../api/client';
import { isFinal } from '../api/final';
import { Empty, Frame, Loading } from '../ui/Frame';
import { Outdated } from '../ui/Notice';
import { Turns } from '../ui/Turns';
import { nameOf, stateOf, whenOf } from './words';

const AGAIN_MS = 5000;

/** U05, thin: what was said in one interview, for the recruiter. */
export function InterviewPage({ id }: { id: string }) {
  const [view, setView] = useState<InterviewView>();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    let gone = false;
    let timer: number | undefined;
    async function load() {
      const answer = await api.interview(id);
      if (gone) return;
      if (answer.ok) setView(answer.data);
      setTrouble(answer.ok ? undefined : answer.problem.message);
      const state = answer.ok ? answer.data.interview.state : undefined;
      if (!isFinal(answer, state)) timer = window.setTimeout(load, AGAIN_MS);
    }
    load();
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [id]);
  return (
    <Frame title="Interview" page="after">
      {view && trouble && <Outdated why={trouble} />}
      {view ? <Shown view={view} /> : trouble ? <Refused message={trouble} /> : <Loading />}
    </Frame>
  );
}

function Shown({ view: { interview, interviewer, stages, transcript, has_recording } }: { view: InterviewView }) {
  const name = nameOf(interview);
  const isOver = interview.state === 'completed' || interview.state === 'interrupted';
  return (
    <>
      <div className="head">
        <div>
          <h1>{name}</h1>
          <p>{[interview.role, interview.title, whenOf(interview)].filter(Boolean).join(' · ')}</p>
          <p>
            {stateOf(interview, Date.now())}. <Link href="/">All interviews</Link>
          </p>
        </div>
      </div>
      {has_recording && isOver && (
        <section className="card" aria-labelledby="sound-h">
          <h2 id="sound-h">Recording</h2>
          <p className="soft">
            {name} is on the left, {interviewer} on the right.
          </p>
          {/* biome-ignore lint/a11y/useMediaCaption: the words stand below it */}
          <audio className="full" controls preload="metadata" src={recordingOf(interview.id)} />
        </section>
      )}
      <section className="card" aria-labelledby="said-h">
        <h2 id="said-h">What was said</h2>
        <p className="soft">As it was understood. Names and numbers are easily misheard.</p>
        <Turns transcript={transcript} you={name} interviewer={interviewer} stages={stages} />
      </section>
    </>
  );
}

function Refused({ message }: { message: string }) {
  return (
    <Empty heading="The interview could not be loaded">
      <p>{message}</p>
      <Link href="/">All interviews</Link>
    </Empty>
  );
}
