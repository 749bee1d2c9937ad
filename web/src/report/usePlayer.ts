import { createContext, type KeyboardEvent, use, useEffect, useRef, useState } from 'react';
import { type Turn, turnAnchor, turnAt, turnBeside } from './turns';

export const SPEEDS: readonly number[] = [0.75, 1, 1.25, 1.5, 2];
const STEP_MS = 5000;

/** What the parts of the page take from the player. */
export interface Hearing {
  canHear: boolean;
  /** Plays from this time on; without a recording the turn is shown. Nothing where a page has no transcript. */
  hear: ((ms: number, speaker?: Turn['speaker']) => void) | undefined;
  /** The turn that is heard now, while something is; −1: none. */
  current: number;
}

export const PlayerContext = createContext<Hearing>({ canHear: false, hear: undefined, current: -1 });
export const useHearing = () => use(PlayerContext);

/** Plays a recording, and knows where in the conversation it is. */
export function usePlayer(turns: readonly Turn[], hasRecording: boolean, known_ms: number) {
  const audio = useRef<HTMLAudioElement>(null);
  const [at_ms, setAt] = useState(0);
  const [loaded_ms, setLoaded] = useState(0);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [follows, setFollows] = useState(true);
  const [trouble, setTrouble] = useState(false);
  const duration_ms = loaded_ms || known_ms;
  const current = isPlaying || at_ms > 0 ? turnAt(turns, at_ms) : -1;

  useEffect(() => {
    if (!isPlaying || !follows || current < 0) return;
    document.getElementById(turnAnchor(current))?.scrollIntoView({ block: 'nearest' });
  }, [isPlaying, follows, current]);

  function seek(ms: number) {
    const within = Math.min(Math.max(0, ms), duration_ms || ms);
    setAt(within);
    if (audio.current) audio.current.currentTime = within / 1000;
  }

  function play() {
    audio.current?.play().catch(() => setPlaying(false));
  }

  function toggle() {
    if (audio.current?.paused) play();
    else audio.current?.pause();
  }

  function hear(ms: number, speaker?: Turn['speaker']) {
    if (hasRecording && !trouble) {
      seek(ms);
      play();
      return;
    }
    const turn = document.getElementById(turnAnchor(turnAt(turns, ms, speaker)));
    turn?.scrollIntoView({ block: 'center' });
    turn?.focus({ preventScroll: true });
  }

  function speedBy(by: -1 | 1) {
    const index = SPEEDS.indexOf(speed) + by;
    choose(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, index))] ?? 1);
  }

  function choose(speed: number) {
    setSpeed(speed);
    if (audio.current) audio.current.playbackRate = speed;
  }

  /** Keys of the player, where what has the focus does not need them itself. */
  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const done = act(event.key, event.target as HTMLElement);
    if (done) event.preventDefault();
  }

  function act(key: string, target: HTMLElement): boolean {
    const isSelect = target.tagName === 'SELECT';
    const isRange = target.matches('input[type="range"]');
    switch (key) {
      case ' ':
        if (target.closest('button, select, input[type="checkbox"], summary')) return false;
        toggle();
        return true;
      case 'ArrowLeft':
      case 'ArrowRight':
        if (isSelect || isRange) return false;
        seek(at_ms + (key === 'ArrowLeft' ? -STEP_MS : STEP_MS));
        return true;
      case 'PageUp':
      case 'PageDown':
        if (!isRange) return false;
        seek(at_ms + (key === 'PageDown' ? -6 : 6) * STEP_MS);
        return true;
      case 'j':
      case 'k': {
        if (isSelect) return false;
        const next = turns[turnBeside(turns, at_ms, key === 'j' ? 1 : -1)];
        if (next) seek(next.at_ms);
        return true;
      }
      case '[':
      case ']':
        if (isSelect) return false;
        speedBy(key === '[' ? -1 : 1);
        return true;
      default:
        return false;
    }
  }

  const events = {
    onTimeUpdate: () => setAt((audio.current?.currentTime ?? 0) * 1000),
    onDurationChange: () => {
      const seconds = audio.current?.duration ?? 0;
      if (Number.isFinite(seconds)) setLoaded(seconds * 1000);
    },
    onPlay: () => setPlaying(true),
    onPause: () => setPlaying(false),
    onEnded: () => setPlaying(false),
    onError: () => setTrouble(true),
  };
  return {
    audio,
    events,
    at_ms,
    duration_ms,
    isPlaying,
    speed,
    follows,
    trouble,
    current,
    seek,
    toggle,
    hear,
    choose,
    setFollows,
    onKeyDown,
  };
}

export type Player = ReturnType<typeof usePlayer>;
