import { useState } from 'react';
import { Icon } from '../../ui/Icon';
import { Notice } from '../../ui/Notice';
import type { LevelWord } from './level';
import { Step } from './Step';
import { playTestSound } from './testSound';
import type { useMicrophone } from './useMicrophone';

interface SoundCheckProps {
  step: number;
  sound: ReturnType<typeof useMicrophone>;
  heard: boolean | undefined;
  onHeard: (heard: boolean) => void;
}

/** Microphone with its level, and a sound to test the speaker. Nothing opens or sounds before a press. */
export function SoundCheck({ step, sound, heard, onHeard }: SoundCheckProps) {
  const [played, setPlayed] = useState(false);
  return (
    <section className="card" aria-labelledby="sound-h">
      <h2 id="sound-h" tabIndex={-1}>
        <Step n={step} /> Sound check
      </h2>
      <Trouble sound={sound} />
      <div className="pair">
        <div className="stack">
          <MicrophoneCheck sound={sound} />
        </div>
        <div className="stack">
          <div>
            <button
              type="button"
              className="btn"
              onClick={() => {
                playTestSound();
                setPlayed(true);
              }}
            >
              <Icon name="sound" /> Play a test sound
            </button>
          </div>
          {played && (
            <fieldset className="row yes">
              <legend className="small">Did you hear it?</legend>
              <button type="button" className="btn dense" aria-pressed={heard === true} onClick={() => onHeard(true)}>
                <Icon name="check" /> Yes
              </button>
              <button type="button" className="btn dense" aria-pressed={heard === false} onClick={() => onHeard(false)}>
                No
              </button>
            </fieldset>
          )}
          {heard === false && (
            <p className="small" role="status">
              Turn the volume up, choose the right speaker in the system’s sound settings, then play it again.
            </p>
          )}
        </div>
      </div>
    </section>
  );
}

function MicrophoneCheck({ sound }: { sound: ReturnType<typeof useMicrophone> }) {
  const { microphone, level, word, tryDevice } = sound;
  if (microphone.kind !== 'open') {
    return (
      <div>
        <button type="button" className="btn" onClick={() => tryDevice()}>
          <Icon name="mic" /> {microphone.kind === 'asking' ? 'Waiting for the browser…' : 'Try the microphone'}
        </button>
      </div>
    );
  }
  return (
    <>
      <div className="field">
        <label htmlFor="mic">Microphone</label>
        <select id="mic" value={microphone.device} onChange={(event) => tryDevice(event.target.value)}>
          {microphone.devices.map((device, index) => (
            <option key={device.deviceId} value={device.deviceId}>
              {device.label || `Microphone ${index + 1}`}
            </option>
          ))}
        </select>
      </div>
      <div>
        <p className="small" id="level-l">
          Say a sentence at your normal volume
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
          <span>quiet</span>
          <span>good</span>
          <span>loud</span>
        </p>
        <p className="small" role="status">
          <span className={word === 'good' ? 'status ok' : word === 'loud' ? 'status warn' : 'status'}>
            {WORDS[word]}
          </span>
        </p>
      </div>
    </>
  );
}

const WORDS: Record<LevelWord, string> = {
  silent: 'We hear nothing yet',
  quiet: 'Very quiet. Move closer, or choose another microphone',
  good: 'Good level',
  loud: 'Very loud. Move back a little',
};

function Trouble({ sound: { microphone, tryDevice } }: { sound: ReturnType<typeof useMicrophone> }) {
  const again = (
    <div className="row">
      <button type="button" className="btn dense" onClick={() => tryDevice()}>
        Try again
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
        <Notice kind="warn" icon="mic-off" heading="The browser does not let us use the microphone" told="now">
          <p>Press the lock sign beside the address, set Microphone to Allow, then try again.</p>
          {again}
        </Notice>
      );
    case 'missing':
      return (
        <Notice kind="warn" icon="mic-off" heading="There is no microphone" told="now">
          <p>Plug one in, or switch it on, then try again.</p>
          {again}
        </Notice>
      );
    case 'failed':
      return (
        <Notice kind="warn" icon="mic-off" heading="The microphone does not open" told="now">
          <p>
            Another program may be using it. Close that program, then try again. The browser says: “{microphone.why}”
          </p>
          {again}
        </Notice>
      );
  }
}
