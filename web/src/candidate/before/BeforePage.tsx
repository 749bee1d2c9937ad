import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { type Admission, api, type Candidate } from '../../api/client';
import { Frame } from '../../ui/Frame';
import { Notice } from '../../ui/Notice';
import { untilOf } from '../../ui/until';
import { SoundCheck } from './SoundCheck';
import { Step } from './Step';
import { type Microphone, useMicrophone } from './useMicrophone';

interface BeforePageProps {
  token: string;
  candidate: Candidate;
  onAdmitted: (admission: Admission, microphone: string | undefined) => void;
  onOver: () => void;
}

type Start =
  | { kind: 'ready' }
  | { kind: 'unagreed' }
  | { kind: 'working' }
  | { kind: 'unheard' }
  | { kind: 'refused'; message: string };

/** C01, thin: who, what, how long; that it is an AI; agreements apart; microphone and speaker. */
export function BeforePage({ token, candidate, onAdmitted, onOver }: BeforePageProps) {
  const again = candidate.state === 'in_progress';
  // Whoever comes back has agreed, and said whether they are recorded.
  const [agreed, setAgreed] = useState(again);
  const [recorded, setRecorded] = useState(false);
  const [start, setStart] = useState<Start>({ kind: 'ready' });
  const [heard, setHeard] = useState<boolean>();
  const sound = useMicrophone();
  const box = useRef<HTMLInputElement>(null);
  const { microphone } = sound;
  const starting = useMutation({ mutationFn: (recording: boolean | undefined) => api.start(token, recording) });

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (start.kind === 'working') return;
    if (!agreed) {
      setStart({ kind: 'unagreed' });
      return box.current?.focus();
    }
    setStart({ kind: 'working' });
    if (microphone.kind !== 'open' && !(await sound.tryDevice())) {
      setStart({ kind: 'unheard' });
      return document.getElementById('sound-h')?.focus();
    }
    const asked = candidate.recording === 'asked' && !again;
    const device = microphone.kind === 'open' ? microphone.device : undefined;
    starting.mutate(asked ? recorded : undefined, {
      onSuccess: (admission) => {
        sound.close();
        onAdmitted(admission, device);
      },
      onError: ({ status, message }) => (status === 409 ? onOver() : setStart({ kind: 'refused', message })),
    });
  }

  const minutes = Math.ceil(candidate.length_limit_s / 60);
  return (
    <Frame title="Before your interview" about={candidate.role} page="before">
      <div className="head">
        <div>
          <h1>
            {again ? 'Welcome back' : 'Hello'} {candidate.name}, this is your interview
          </h1>
          <p>
            With {candidate.interviewer}, for the role of {candidate.role}. {minutes} minutes at most.
          </p>
        </div>
      </div>
      <div className="ai">
        <Notice icon="info" heading={`${candidate.interviewer} is an AI, not a person`}>
          <p>It asks questions by voice and listens to your answers. It decides nothing.</p>
        </Notice>
      </div>
      <div className="split">
        <form id="go" className="stack steps" noValidate onSubmit={submit}>
          <section className="card" aria-labelledby="expect-h">
            <h2 id="expect-h">
              <Step n={1} /> What to expect
            </h2>
            <dl className="facts wide">
              <dt>How long</dt>
              <dd>{minutes} minutes at most. The link brings you back if the connection breaks</dd>
              <dt>Stages</dt>
              <dd>{candidate.stages.map((stage) => stage.title).join(', ')}</dd>
              <dt>What is kept</dt>
              <dd>{kept(candidate)}</dd>
              <dt>If you want to stop</dt>
              <dd>Press End at any time. What you said until then is saved</dd>
            </dl>
          </section>
          {!again && (
            <section className="card" aria-labelledby="agree-h">
              <h2 id="agree-h">
                <Step n={2} /> Your agreement
              </h2>
              {start.kind === 'unagreed' && !agreed && (
                <Notice kind="bad" icon="warn" heading="The box is still open" told="now">
                  <p>To start, agree to take part.</p>
                </Notice>
              )}
              <label className="check">
                <input
                  ref={box}
                  type="checkbox"
                  id="agree"
                  required
                  checked={agreed}
                  aria-describedby="agree-hint"
                  onChange={(event) => setAgreed(event.target.checked)}
                />
                <span>
                  <b>I take part in an interview led by an AI</b>
                  <span className="hint" id="agree-hint">
                    Needed. My words are turned into text while I speak.
                  </span>
                </span>
              </label>
              {candidate.recording === 'asked' && (
                <label className="check">
                  <input
                    type="checkbox"
                    id="record"
                    checked={recorded}
                    aria-describedby="record-hint"
                    onChange={(event) => setRecorded(event.target.checked)}
                  />
                  <span>
                    <b>The sound of this interview is recorded</b>
                    <span className="hint" id="record-hint">
                      Up to you. Whoever invited you can listen to it. Without it only the text is kept.
                    </span>
                  </span>
                </label>
              )}
            </section>
          )}
          <SoundCheck step={again ? 2 : 3} sound={sound} heard={heard} onHeard={setHeard} />
        </form>
        <aside className="card" aria-labelledby="ready-h">
          <h2 id="ready-h">Ready?</h2>
          <ul className="ready">
            <li>
              {agreed ? (
                <span className="status ok">You agreed to take part</span>
              ) : (
                <span className="status">Agree to take part</span>
              )}
            </li>
            <li>{microphoneStatus(microphone, sound.word)}</li>
            <li>
              {heard ? (
                <span className="status ok">Speaker works</span>
              ) : (
                <span className="status">Speaker: not tried yet</span>
              )}
            </li>
          </ul>
          {start.kind === 'unheard' && microphone.kind !== 'open' && (
            <Notice kind="bad" icon="mic-off" heading="The interview needs a microphone">
              <p>The sound check says what is wrong with yours.</p>
            </Notice>
          )}
          {start.kind === 'refused' && (
            <Notice kind="bad" icon="warn" heading="The interview did not start" told="now">
              <p>{start.message}</p>
            </Notice>
          )}
          <button className="btn primary full" form="go" type="submit">
            {start.kind === 'working' ? 'Starting…' : again ? 'Go on with the interview' : 'Start the interview'}
          </button>
          <p className="small soft">Not a good moment? Your link works until {untilOf(candidate.expires_at)}.</p>
        </aside>
      </div>
    </Frame>
  );
}

function kept({ interviewer, recording }: Candidate): string {
  const text = `What you and ${interviewer} say, as text. You can read it at the end`;
  switch (recording) {
    case 'off':
      return text;
    case 'asked':
      return `${text}. The sound too, if you agree to it below`;
    case 'on':
      return `${text}. The sound too: it is recorded, as you agreed`;
  }
}

function microphoneStatus(microphone: Microphone, word: string) {
  switch (microphone.kind) {
    case 'untried':
    case 'asking':
      return <span className="status">Microphone: not tried yet</span>;
    case 'open':
      return word === 'silent' || word === 'quiet' ? (
        <span className="status">Microphone is open. Say a sentence</span>
      ) : (
        <span className="status ok">Microphone works</span>
      );
    case 'blocked':
      return <span className="status bad">Microphone is blocked</span>;
    case 'missing':
      return <span className="status bad">No microphone found</span>;
    case 'failed':
      return <span className="status bad">Microphone does not open</span>;
  }
}
