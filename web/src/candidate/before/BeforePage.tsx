import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { type Admission, api, type Candidate } from '../../api/client';
import { t } from '../../texts';
import { Frame } from '../../ui/Frame';
import { Notice } from '../../ui/Notice';
import { untilOf } from '../../ui/until';
import { Choices, PausesChoice, TextSizes } from '../Choices';
import { contactOf } from '../contact';
import { LanguageSwitch } from '../LanguageSwitch';
import { hasAgreed, rememberAgreed } from '../memory';
import type { Preferences, SetPreferences } from '../preferences';
import { TrialNotice } from '../TrialNotice';
import { Person } from './Person';
import { Practice } from './Practice';
import { SoundCheck } from './SoundCheck';
import { Step } from './Step';
import { type Microphone, useMicrophone } from './useMicrophone';

interface BeforePageProps {
  token: string;
  candidate: Candidate;
  preferences: Preferences;
  setPreferences: SetPreferences;
  /** They want to start: what the room needs can be fetched. */
  onStart: () => void;
  onAdmitted: (admission: Admission, microphone: string | undefined) => void;
  onOver: () => void;
}

type Start =
  | { kind: 'ready' }
  | { kind: 'unagreed' }
  | { kind: 'working' }
  | { kind: 'unheard' }
  | { kind: 'refused'; message: string };

/** C01: who, what, how long; that it is an AI; agreements apart; microphone, speaker, how they like it, and practice. */
export function BeforePage({
  token,
  candidate,
  preferences,
  setPreferences,
  onStart,
  onAdmitted,
  onOver,
}: BeforePageProps) {
  const again = candidate.state === 'in_progress' || candidate.state === 'stopped';
  // Whoever comes back has agreed here, and said whether they are recorded; in another browser it may be somebody else.
  const [isKnown] = useState(() => again && hasAgreed(token));
  const [agreed, setAgreed] = useState(isKnown);
  const [recorded, setRecorded] = useState(false);
  const [start, setStart] = useState<Start>({ kind: 'ready' });
  const [heard, setHeard] = useState<boolean>();
  const sound = useMicrophone();
  const box = useRef<HTMLInputElement>(null);
  const { microphone } = sound;
  const { types } = preferences;
  const starting = useMutation({
    mutationFn: ({ recording, types }: { recording: boolean | undefined; types: boolean }) => {
      const { captions, pauses } = preferences;
      return api.start(token, recording, { captions, types, pauses });
    },
  });

  /** Starts by speaking or by typing, once they have agreed. */
  async function begin(types: boolean) {
    if (start.kind === 'working') return;
    if (!agreed) {
      setStart({ kind: 'unagreed' });
      return box.current?.focus();
    }
    setStart({ kind: 'working' });
    onStart();
    if (!types && microphone.kind !== 'open' && !(await sound.tryDevice())) {
      setStart({ kind: 'unheard' });
      return document.getElementById('sound-h')?.focus();
    }
    const asked = candidate.recording === 'asked' && !again;
    const device = microphone.kind === 'open' ? microphone.device : undefined;
    const recording = asked ? recorded : undefined;
    starting.mutate(
      { recording, types },
      {
        onSuccess: (admission) => {
          sound.close();
          rememberAgreed(token);
          onAdmitted(admission, device);
        },
        onError: ({ status, message }) => (status === 409 ? onOver() : setStart({ kind: 'refused', message })),
      },
    );
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void begin(types);
  }

  function typeAnswers() {
    setPreferences({ types: true });
    void begin(true);
  }

  const { name, role, interviewer } = candidate;
  const minutes = Math.ceil(candidate.length_limit_s / 60);
  const contact = contactOf(candidate);
  const step = isKnown ? 2 : 3;
  return (
    <Frame
      title={again ? t('before.againTitle') : t('before.title')}
      about={candidate.role}
      tools={<LanguageSwitch />}
      page="before"
    >
      <div className="head">
        <div>
          <h1>{again ? t('before.welcomeBack', { name }) : t('before.hello', { name })}</h1>
          <p>{t('before.with', { interviewer, role, minutes })}</p>
        </div>
      </div>
      <TrialNotice candidate={candidate} />
      {again && (
        <Notice icon="info" heading={t('before.waits', { interviewer })}>
          <p>{candidate.state === 'stopped' ? t('accommodation.stoppedIs') : t('before.waitsIs')}</p>
          <p>{t('before.elsewhere')}</p>
        </Notice>
      )}
      <div className="ai">
        <Notice icon="info" heading={t('before.ai', { interviewer })}>
          <p>{t('before.aiDoes')}</p>
        </Notice>
      </div>
      <div className={again ? 'split again' : 'split'}>
        <form id="go" className="stack steps" noValidate onSubmit={submit}>
          <section className="card" aria-labelledby="expect-h">
            <h2 id="expect-h">
              <Step n={1} /> {t('before.expect')}
            </h2>
            <dl className="facts wide">
              <dt>{t('before.howLong')}</dt>
              <dd>{t('before.minutes', { minutes })}</dd>
              <dt>{t('before.stages')}</dt>
              <dd lang={candidate.language}>{candidate.stages.map((stage) => stage.title).join(', ')}</dd>
              <dt>{t('before.kept')}</dt>
              <dd>{kept(candidate)}</dd>
              {candidate.integrity === 'facts' && (
                <>
                  <dt>{t('noted.before')}</dt>
                  <dd>{t('noted.beforeIs')}</dd>
                </>
              )}
              <dt>{t('before.stuck')}</dt>
              <dd>{t('before.stuckIs')}</dd>
              <dt>{t('before.stop')}</dt>
              <dd>{t('before.pressEnd')}</dd>
            </dl>
          </section>
          {!isKnown && (
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
              <div className="evaluation">
                <b>{t('before.evaluation')}</b>
                <p className="hint">{t('before.evaluationIs')}</p>
              </div>
            </section>
          )}
          <SoundCheck
            token={token}
            step={step}
            sound={sound}
            heard={heard}
            onHeard={setHeard}
            onType={() => setPreferences({ types: true })}
          />
          <section className="card" aria-labelledby="like-h">
            <h2 id="like-h">
              <Step n={step + 1} /> {t('before.like')}
            </h2>
            <PausesChoice pauses={preferences.pauses} onChoose={(pauses) => setPreferences({ pauses })} />
            <Choices of={['types', 'captions', 'time']} preferences={preferences} setPreferences={setPreferences} />
            <TextSizes preferences={preferences} setPreferences={setPreferences} />
          </section>
          {!again && <Practice step={step + 2} sound={sound} />}
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
            <li>
              {types ? (
                <span className="status ok">{t('before.typed')}</span>
              ) : (
                microphoneStatus(microphone, sound.isHeard)
              )}
            </li>
            <li>
              {heard ? (
                <span className="status ok">{t('before.speakerWorks')}</span>
              ) : (
                <span className="status">{t('before.speakerUntried')}</span>
              )}
            </li>
          </ul>
          {start.kind === 'unheard' && microphone.kind !== 'open' && !types && (
            <Notice kind="bad" icon="mic-off" heading={t('before.needsMicrophone')}>
              <p>{t('before.seeSoundCheck')}</p>
              <div className="row">
                <button type="button" className="btn dense" id="type-answers" onClick={typeAnswers}>
                  {t('before.typeAnswers')}
                </button>
              </div>
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
          {!again && <p className="small soft">{t('before.notNow', { until: untilOf(candidate.expires_at) })}</p>}
          {contact && <Person contact={contact} />}
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

function microphoneStatus(microphone: Microphone, isHeard: boolean) {
  switch (microphone.kind) {
    case 'untried':
    case 'asking':
      return <span className="status">{t('before.microphoneUntried')}</span>;
    case 'open':
      return isHeard ? (
        <span className="status ok">{t('before.microphoneWorks')}</span>
      ) : (
        <span className="status">{t('before.microphoneOpen')}</span>
      );
    case 'blocked':
      return <span className="status bad">{t('before.microphoneBlocked')}</span>;
    case 'missing':
      return <span className="status bad">{t('before.microphoneMissing')}</span>;
    case 'insecure':
      return <span className="status bad">{t('soundCheck.insecure')}</span>;
    case 'busy':
    case 'failed':
      return <span className="status bad">{t('before.microphoneFailed')}</span>;
  }
}
