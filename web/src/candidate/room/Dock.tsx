import { createAudioAnalyser, type LocalAudioTrack } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../texts';
import { Icon } from '../../ui/Icon';
import { Key } from '../../ui/Key';
import { Notice } from '../../ui/Notice';
import { loudness } from '../before/level';
import { TypedForm } from './TypedForm';
import type { Typing } from './useTyped';

interface DockProps {
  muted: boolean;
  /** The microphone that is heard now. */
  level: LocalAudioTrack | undefined;
  onMute: (muted: boolean) => void;
  typing: Typing;
  interviewer: string;
  onEnd: () => void;
  isEnding: boolean;
  trouble: string | undefined;
}

/** The controls, in reach all the time. */
export function Dock({ muted, level, onMute, typing, interviewer, onEnd, isEnding, trouble }: DockProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const { isOpen } = typing.typed;

  function openField() {
    // The field has to be there before it can take the focus.
    flushSync(typing.open);
    field.current?.focus();
  }
  function closeField() {
    typing.close();
    opener.current?.focus();
  }
  useSingleKey('m', () => onMute(!muted));
  useSingleKey('k', openField);
  return (
    <section className="dock" aria-label={t('room.controls')}>
      {trouble && <Notice kind="warn" icon="warn" heading={trouble} told="now" />}
      {isOpen && <TypedForm typing={typing} interviewer={interviewer} field={field} onClose={closeField} />}
      <div className="controls">
        <button type="button" className="btn mic" aria-pressed={muted} onClick={() => onMute(!muted)}>
          <Icon name={muted ? 'mic-off' : 'mic'} />
          <span>{muted ? t('room.unmute') : t('room.mute')}</span>
          {!muted && <Level track={level} />}
          <Key name="M" />
        </button>
        <button
          type="button"
          className="btn"
          aria-expanded={isOpen}
          aria-controls="typed"
          ref={opener}
          onClick={isOpen ? closeField : openField}
        >
          <Icon name="keyboard" />
          <span>{t('typed.instead')}</span>
          <Key name="K" />
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

/** A key that does something by itself, when no field or dialog has the focus. */
function useSingleKey(key: string, action: () => void) {
  const act = useRef(action);
  act.current = action;
  useEffect(() => {
    function pressed(event: KeyboardEvent) {
      const busy = event.target instanceof Element && event.target.closest('input, select, textarea, dialog');
      if (event.key !== key || event.ctrlKey || event.metaKey || event.altKey || busy) return;
      // Else it would be typed into a field that it has opened.
      event.preventDefault();
      act.current();
    }
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [key]);
}
