import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { type Admission, api, type Candidate } from '../../api/client';
import { t } from '../../texts';
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

  const { name, role, interviewer } = candidate;
  const minutes = Math.ceil(candidate.length_limit_s / 60);
  return (
    <Frame title={t('before.title')} about={candidate.role} page="before">
      <div className="head">
        <div>
          <h1>{again ? t('before.welcomeBack', { name }) : t('before.hello', { name })}</h1>
          <p>{t('before.with', { interviewer, role, minutes })}</p>
        </div>
      </div>
      <div className="ai">
        <Notice icon="info" heading={t('before.ai', { interviewer })}>
          <p>{t('before.aiDoes')}</p>
        </Notice>
      </div>
      <div className="split">
        <form id="go" className="stack steps" noValidate onSubmit={submit}>
          <section className="card" aria-labelledby="expect-h">
            <h2 id="expect-h">
              <Step n={1} /> {t('before.expect')}
            </h2>
            <dl className="facts wide">
              <dt>{t('before.howLong')}</dt>
              <dd>{t('before.minutes', { minutes })}</dd>
              <dt>{t('before.stages')}</dt>
              <dd>{candidate.stages.map((stage) => stage.title).join(', ')}</dd>
              <dt>{t('before.kept')}</dt>
              <dd>{kept(candidate)}</dd>
              <dt>{t('before.stop')}</dt>
              <dd>{t('before.pressEnd')}</dd>
            </dl>
          </section>
          {!again && (
            <section className="card" aria-labelledby="agree-h">
              <h2 id="agree-h">
                <Step n={2} /> {t('before.agreement')}
              </h2>
              {start.kind === 'unagreed' && !agreed && (
                <Notice kind="bad" icon="warn" heading={t('before.boxOpen')} told="now">
                  <p>{t('before.toStart')}</p>
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
                  <b>{t('before.takePart')}</b>
                  <span className="hint" id="agree-hint">
                    {t('before.takePartHint')}
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
                    <b>{t('before.record')}</b>
                    <span className="hint" id="record-hint">
                      {t('before.recordHint')}
                    </span>
                  </span>
                </label>
              )}
            </section>
          )}
          <SoundCheck step={again ? 2 : 3} sound={sound} heard={heard} onHeard={setHeard} />
        </form>
        <aside className="card" aria-labelledby="ready-h">
          <h2 id="ready-h">{t('before.ready')}</h2>
          <ul className="ready">
            <li>
              {agreed ? (
                <span className="status ok">{t('before.agreed')}</span>
              ) : (
                <span className="status">{t('before.agree')}</span>
              )}
            </li>
            <li>{microphoneStatus(microphone, sound.word)}</li>
            <li>
              {heard ? (
                <span className="status ok">{t('before.speakerWorks')}</span>
              ) : (
                <span className="status">{t('before.speakerUntried')}</span>
              )}
            </li>
          </ul>
          {start.kind === 'unheard' && microphone.kind !== 'open' && (
            <Notice kind="bad" icon="mic-off" heading={t('before.needsMicrophone')}>
              <p>{t('before.seeSoundCheck')}</p>
            </Notice>
          )}
          {start.kind === 'refused' && (
            <Notice kind="bad" icon="warn" heading={t('before.notStarted')} told="now">
              <p>{start.message}</p>
            </Notice>
          )}
          <button className="btn primary full" form="go" type="submit">
            {start.kind === 'working' ? t('before.starting') : again ? t('before.goOn') : t('before.start')}
          </button>
          <p className="small soft">{t('before.notNow', { until: untilOf(candidate.expires_at) })}</p>
        </aside>
      </div>
    </Frame>
  );
}

function kept({ interviewer, recording }: Candidate): string {
  switch (recording) {
    case 'off':
      return t('before.keptText', { interviewer });
    case 'asked':
      return t('before.keptSoundAsked', { interviewer });
    case 'on':
      return t('before.keptSound', { interviewer });
  }
}

function microphoneStatus(microphone: Microphone, word: string) {
  switch (microphone.kind) {
    case 'untried':
    case 'asking':
      return <span className="status">{t('before.microphoneUntried')}</span>;
    case 'open':
      return word === 'silent' || word === 'quiet' ? (
        <span className="status">{t('before.microphoneOpen')}</span>
      ) : (
        <span className="status ok">{t('before.microphoneWorks')}</span>
      );
    case 'blocked':
      return <span className="status bad">{t('before.microphoneBlocked')}</span>;
    case 'missing':
      return <span className="status bad">{t('before.microphoneMissing')}</span>;
    case 'failed':
      return <span className="status bad">{t('before.microphoneFailed')}</span>;
  }
}
