import { useEffect, useState } from 'react';
import { t } from '../../texts';
import { Icon } from '../../ui/Icon';
import { Notice } from '../../ui/Notice';
import { rememberSpeaker, speakerRemembered } from '../memory';
import { HeardSaying } from './HeardSaying';
import type { LevelWord } from './level';
import { Step } from './Step';
import { canChooseSpeaker, playTestSound, speakers } from './testSound';
import type { useMicrophone } from './useMicrophone';

interface SoundCheckProps {
  token: string;
  step: number;
  sound: ReturnType<typeof useMicrophone>;
  heard: boolean | undefined;
  onHeard: (heard: boolean) => void;
  /** They type instead of speaking. */
  onType: () => void;
}

/** Microphone with its level, and a sound to test the speaker. Nothing opens or sounds before a press. */
export function SoundCheck({ token, step, sound, heard, onHeard, onType }: SoundCheckProps) {
  const [played, setPlayed] = useState(false);
  const [speaker, setSpeaker] = useState(speakerRemembered);
  return (
    <section className="card" aria-labelledby="sound-h">
      <h2 id="sound-h" tabIndex={-1}>
        <Step n={step} /> {t('sound.heading')}
      </h2>
      <Trouble sound={sound} onType={onType} />
      <div className="pair">
        <div className="stack">
          <MicrophoneCheck sound={sound} />
          {sound.microphone.kind === 'open' && <HeardSaying token={token} track={sound.track} />}
        </div>
        <div className="stack">
          <SpeakerChoice
            speaker={speaker}
            isOpen={sound.microphone.kind === 'open'}
            onChoose={(chosen) => {
              rememberSpeaker(chosen);
              setSpeaker(chosen);
            }}
          />
          <div>
            <button
              type="button"
              className="btn"
              onClick={() => {
                void playTestSound(speaker);
                setPlayed(true);
              }}
            >
              <Icon name="sound" /> {t('sound.play')}
            </button>
          </div>
          {played && (
            <fieldset className="row yes">
              <legend className="small">{t('sound.heard')}</legend>
              <button type="button" className="btn dense" aria-pressed={heard === true} onClick={() => onHeard(true)}>
                <Icon name="check" /> {t('sound.yes')}
              </button>
              <button type="button" className="btn dense" aria-pressed={heard === false} onClick={() => onHeard(false)}>
                {t('sound.no')}
              </button>
            </fieldset>
          )}
          {heard === false && (
            <p className="small" role="status">
              {t('sound.louder')}
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

function MicrophoneCheck({ sound }: { sound: ReturnType<typeof useMicrophone> }) {
  const { microphone, level, word, isHeard, tryDevice } = sound;
  if (microphone.kind !== 'open') {
    return (
      <div>
        <button type="button" className="btn" onClick={() => tryDevice()}>
          <Icon name="mic" /> {microphone.kind === 'asking' ? t('sound.asking') : t('sound.tryMicrophone')}
        </button>
      </div>
    );
  }
  return (
    <>
      <div className="field">
        <label htmlFor="mic">{t('sound.microphone')}</label>
        <select id="mic" value={microphone.device} onChange={(event) => tryDevice(event.target.value)}>
          {microphone.devices.map((device, index) => (
            <option key={device.deviceId} value={device.deviceId}>
              {device.label || t('microphone', { number: index + 1 })}
            </option>
          ))}
        </select>
      </div>
      <div>
        <p className="small" id="level-l">
          {t('sound.say')}
        </p>
        {/* biome-ignore lint/a11y/useSemanticElements: a meter element cannot draw the dashed band of the good level. */}
        <div
          className="meter"
          role="meter"
          aria-labelledby="level-l"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={level}
          aria-valuetext={WORDS[word]}
        >
          <i style={{ '--level': level }} />
          <b />
        </div>
        <p className="scale" aria-hidden="true">
          <span>{t('sound.scaleQuiet')}</span>
          <span>{t('sound.scaleGood')}</span>
          <span>{t('sound.scaleLoud')}</span>
        </p>
        <p className="small" role="status">
          {isHeard && <span className="status ok">{t('sound.isHeard')}</span>}{' '}
          {word === 'loud' ? (
            <span className="status warn">{WORDS.loud}</span>
          ) : (
            !isHeard && <span className="status">{WORDS[word]}</span>
          )}
        </p>
      </div>
    </>
  );
}

const WORDS: Record<LevelWord, string> = {
  silent: t('sound.silent'),
  quiet: t('sound.quiet'),
  good: t('sound.good'),
  loud: t('sound.loud'),
};

interface SpeakerChoiceProps {
  speaker: string | undefined;
  /** Browsers name speakers once a microphone is open. */
  isOpen: boolean;
  onChoose: (speaker: string | undefined) => void;
}

/** Which speaker is heard, where the browser lets a page choose; elsewhere the system's settings do. */
function SpeakerChoice({ speaker, isOpen, onChoose }: SpeakerChoiceProps) {
  const [devices, setDevices] = useState<MediaDeviceInfo[]>([]);
  const mayChoose = canChooseSpeaker();
  useEffect(() => {
    if (!mayChoose || !isOpen) return;
    let isHere = true;
    const read = () => void speakers().then((found) => isHere && setDevices(found));
    read();
    navigator.mediaDevices.addEventListener('devicechange', read);
    return () => {
      isHere = false;
      navigator.mediaDevices.removeEventListener('devicechange', read);
    };
  }, [mayChoose, isOpen]);
  if (devices.length < 2) return null;
  return (
    <div className="field">
      <label htmlFor="speaker">{t('soundCheck.speaker')}</label>
      <select id="speaker" value={speaker ?? ''} onChange={(event) => onChoose(event.target.value || undefined)}>
        <option value="">{t('soundCheck.systemSpeaker')}</option>
        {devices
          .filter(({ deviceId }) => deviceId !== 'default')
          .map((device, index) => (
            <option key={device.deviceId} value={device.deviceId}>
              {device.label || t('soundCheck.speakerNumber', { number: index + 1 })}
            </option>
          ))}
      </select>
    </div>
  );
}

interface TroubleProps {
  sound: ReturnType<typeof useMicrophone>;
  onType: () => void;
}

/** What is wrong with the microphone, how to mend that, and the way around it. */
function Trouble({ sound: { microphone, tryDevice }, onType }: TroubleProps) {
  const again = (
    <div className="row">
      <button type="button" className="btn dense" onClick={() => tryDevice()}>
        {t('tryAgain')}
      </button>
      <button type="button" className="btn plain dense" onClick={onType}>
        {t('soundCheck.typeInstead')}
      </button>
    </div>
  );
  switch (microphone.kind) {
    case 'untried':
    case 'asking':
    case 'open':
      return null;
    case 'blocked':
      return (
        <Notice kind="warn" icon="mic-off" heading={t('sound.blocked')} told="now">
          <p>{t('sound.unblock')}</p>
          {again}
        </Notice>
      );
    case 'missing':
      return (
        <Notice kind="warn" icon="mic-off" heading={t('sound.missing')} told="now">
          <p>{t('sound.plugIn')}</p>
          {again}
        </Notice>
      );
    case 'busy':
      return (
        <Notice kind="warn" icon="mic-off" heading={t('soundCheck.busy')} told="now">
          <p>{t('soundCheck.closeOther')}</p>
          {again}
        </Notice>
      );
    case 'insecure':
      return (
        <Notice kind="warn" icon="mic-off" heading={t('soundCheck.insecure')} told="now">
          <p>{t('soundCheck.openSafely')}</p>
          {again}
        </Notice>
      );
    case 'failed':
      return (
        <Notice kind="warn" icon="mic-off" heading={t('sound.failed')} told="now">
          <p>{t('sound.inUse', { why: microphone.why })}</p>
          {again}
        </Notice>
      );
  }
}
