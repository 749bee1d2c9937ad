import { createAudioAnalyser, type LocalAudioTrack } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { t } from '../../texts';
import { Icon } from '../../ui/Icon';
import { Key } from '../../ui/Key';
import { Notice } from '../../ui/Notice';
import { loudness } from '../before/level';

interface DockProps {
  muted: boolean;
  /** The microphone that is heard now. */
  level: LocalAudioTrack | undefined;
  onMute: (muted: boolean) => void;
  onEnd: () => void;
  isEnding: boolean;
  trouble: string | undefined;
}

/** The controls, in reach all the time. */
export function Dock({ muted, level, onMute, onEnd, isEnding, trouble }: DockProps) {
  useMuteKey(muted, onMute);
  return (
    <section className="dock" aria-label={t('room.controls')}>
      {trouble && <Notice kind="warn" icon="warn" heading={trouble} told="now" />}
      <div className="controls">
        <button type="button" className="btn mic" aria-pressed={muted} onClick={() => onMute(!muted)}>
          <Icon name={muted ? 'mic-off' : 'mic'} />
          <span>{muted ? t('room.unmute') : t('room.mute')}</span>
          {!muted && <Level track={level} />}
          <Key name="M" />
        </button>
        <button type="button" className="btn danger push" aria-disabled={isEnding || undefined} onClick={onEnd}>
          <Icon name="end" />
          <span>{isEnding ? t('room.ending') : t('room.end')}</span>
          <Key name="⇧ E" />
        </button>
      </div>
    </section>
  );
}

function Level({ track }: { track: LocalAudioTrack | undefined }) {
  const [level, setLevel] = useState(0);
  useEffect(() => {
    if (!track) return setLevel(0);
    const { calculateVolume, cleanup } = createAudioAnalyser(track);
    const timer = window.setInterval(() => setLevel(loudness(calculateVolume())), 100);
    return () => {
      window.clearInterval(timer);
      cleanup().catch(() => undefined);
    };
  }, [track]);
  return (
    <span className="meter" aria-hidden="true">
      <i style={{ '--level': level }} />
    </span>
  );
}

/** M mutes and unmutes, when no field or dialog has the focus. */
function useMuteKey(muted: boolean, onMute: (muted: boolean) => void) {
  const toggle = useRef(() => onMute(!muted));
  toggle.current = () => onMute(!muted);
  useEffect(() => {
    function pressed(event: KeyboardEvent) {
      const busy = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
      if (event.key === 'm' && !event.ctrlKey && !event.metaKey && !event.altKey && !busy) toggle.current();
    }
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}
