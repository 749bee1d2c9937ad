import { useEffect, useState } from 'react';
import { t } from '../../texts';
import { Icon } from '../../ui/Icon';
import { Step } from './Step';
import { useLocalRecording } from './useLocalRecording';
import type { useMicrophone } from './useMicrophone';

/** One easy question that nobody hears: what is said to it is recorded in the page, played back there, and thrown away. */
export function Practice({ step, sound }: { step: number; sound: ReturnType<typeof useMicrophone> }) {
  const { recording, begin, end } = useLocalRecording();
  const [isUnheard, setUnheard] = useState(false);

  async function answer() {
    const isOpen = sound.microphone.kind === 'open' || (await sound.tryDevice());
    const track = isOpen ? sound.track() : undefined;
    setUnheard(!track);
    if (track) begin(track);
  }
  return (
    <section className="card stack practice" aria-labelledby="practice-h">
      <h2 id="practice-h">
        <Step n={step} /> {t('practice.heading')} <span className="opt">{t('optional')}</span>
      </h2>
      <p className="soft">{t('practice.about')}</p>
      <p className="voice">{t('practice.question')}</p>
      <div className="row">
        {recording.kind === 'on' ? (
          <button type="button" className="btn" onClick={end}>
            <Icon name="check" /> {t('practice.stop')}
          </button>
        ) : (
          <button type="button" className="btn" onClick={answer}>
            <Icon name="mic" /> {recording.kind === 'done' ? t('practice.again') : t('practice.answer')}
          </button>
        )}
        <ReadOut />
      </div>
      <p className="small" role="status">
        {recording.kind === 'on' && <span className="status live">{t('practice.isOn')}</span>}
        {recording.kind === 'done' && t('practice.isDone')}
        {isUnheard && t('practice.unheard')}
      </p>
      {recording.kind === 'done' && (
        // biome-ignore lint/a11y/useMediaCaption: it is what they have just said themselves.
        <audio controls src={recording.url} aria-label={t('practice.yours')} />
      )}
    </section>
  );
}

/** Reads the question out with the browser's own voice, where it has one. */
function ReadOut() {
  const isThere = 'speechSynthesis' in window;
  useEffect(() => () => (isThere ? speechSynthesis.cancel() : undefined), [isThere]);
  if (!isThere) return null;
  function read() {
    const words = new SpeechSynthesisUtterance(t('practice.question'));
    words.lang = document.documentElement.lang;
    speechSynthesis.cancel();
    speechSynthesis.speak(words);
  }
  return (
    <button type="button" className="btn plain" onClick={read}>
      <Icon name="sound" /> {t('practice.readOut')}
    </button>
  );
}
