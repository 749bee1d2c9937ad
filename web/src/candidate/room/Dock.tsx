import { createAudioAnalyser, type LocalAudioTrack } from 'livekit-client';
import { type RefObject, useEffect, useState } from 'react';
import { t } from '../../texts';
import { Icon } from '../../ui/Icon';
import { Key } from '../../ui/Key';
import { Notice } from '../../ui/Notice';
import { loudness } from '../before/level';
import { type KeyAction, nameOf } from './keys';
import type { MutedHint } from './mutedTalk';
import type { SoundTrouble } from './soundTrouble';
import { TypedForm } from './TypedForm';
import type { Typing } from './useTyped';

interface DockProps {
  muted: boolean;
  /** The microphone that is heard now. */
  level: LocalAudioTrack | undefined;
  mutedHint: MutedHint | undefined;
  soundTrouble: SoundTrouble | undefined;
  typing: Typing;
  field: RefObject<HTMLTextAreaElement | null>;
  opener: RefObject<HTMLButtonElement | null>;
  interviewer: string;
  isPaused: boolean;
  /** Whether a pause, or its end, is asked for and not answered yet. */
  isPausing: boolean;
  isEnding: boolean;
  trouble: string | undefined;
  withKeys: boolean;
  /** Text was pasted into the typed answer. */
  onPaste: (text: string) => void;
  /** A button, or its key. */
  act: (action: KeyAction) => void;
}

/** The controls, in reach all the time. */
export function Dock(props: DockProps) {
  const { muted, typing, isPaused, isPausing, isEnding, trouble, act } = props;
  const { isOpen } = typing.typed;
  return (
    <section className="dock" aria-label={t('room.controls')}>
      {trouble && <Notice kind="warn" icon="warn" heading={trouble} told="now" />}
      <MicrophoneNotice {...props} />
      {isOpen && !isPaused && (
        <TypedForm
          typing={typing}
          interviewer={props.interviewer}
          field={props.field}
          onPaste={props.onPaste}
          onClose={() => act('type')}
        />
      )}
      <div className="controls">
        {!isPaused && !isOpen && (
          <button type="button" className="btn mic" aria-pressed={muted} onClick={() => act('mute')}>
            <Icon name={muted ? 'mic-off' : 'mic'} />
            <span>{muted ? t('room.unmute') : t('room.mute')}</span>
            {!muted && <Level track={props.level} />}
            {props.withKeys && <Key name={nameOf('mute')} />}
          </button>
        )}
        {!isPaused && (
          <button
            type="button"
            className="btn"
            aria-expanded={isOpen}
            aria-controls="typed"
            ref={props.opener}
            onClick={() => act('type')}
          >
            <Icon name={isOpen ? 'mic' : 'keyboard'} />
            <span>{isOpen ? t('typed.speak') : t('typed.instead')}</span>
            {props.withKeys && <Key name={nameOf('type')} />}
          </button>
        )}
        <button
          type="button"
          className={isPaused ? 'btn primary' : 'btn'}
          data-request="pause"
          aria-pressed={isPaused ? undefined : isPausing}
          onClick={() => act('pause')}
        >
          <Icon name={isPaused ? 'play' : 'pause'} />
          <span>{isPaused ? t('room.goOn') : t('room.pause')}</span>
          {props.withKeys && <Key name={nameOf('pause')} />}
        </button>
        <button
          type="button"
          className="btn danger push"
          aria-disabled={isEnding || undefined}
          onClick={() => act('end')}
        >
          <Icon name="end" />
          <span>{isEnding ? t('room.ending') : t('room.end')}</span>
          {props.withKeys && <Key name={nameOf('end')} />}
        </button>
      </div>
    </section>
  );
}

/** What is amiss with the microphone. */
function MicrophoneNotice({ mutedHint, soundTrouble, act }: DockProps) {
  if (mutedHint) {
    const unmute = (
      <button type="button" className="btn primary" onClick={() => act('mute')}>
        <Icon name="mic" /> {t('room.unmute')}
      </button>
    );
    return (
      <Notice kind="warn" icon="mic-off" heading={t('room.mutedHint')} told="now" action={unmute}>
        <p>{mutedHint === 'talking' ? t('room.mutedTalking') : t('room.mutedLong')}</p>
      </Notice>
    );
  }
  if (!soundTrouble) return null;
  const isSilent = soundTrouble === 'silent';
  return (
    <Notice kind="warn" icon="mic" heading={isSilent ? t('room.silent') : t('room.clipped')} told="soon">
      <p>{isSilent ? t('room.silentIs') : t('room.clippedIs')}</p>
    </Notice>
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
