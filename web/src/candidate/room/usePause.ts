import type { RemoteParticipant } from 'livekit-client';
import { useEffect, useRef, useState } from 'react';
import type { Help, HelpRequest } from './help';

interface PauseProps {
  help: Help;
  press: (request: HelpRequest) => void;
  /** `vivavoce.paused`: `true`, or empty; it knows of a pause that was asked for by voice, or before a reload. */
  told: string | undefined;
  /** Whether the page was loaded anew: it waits for the candidate, who may read in peace. */
  returns: boolean;
  /** The interviewer, once the room is joined. */
  agent: RemoteParticipant | undefined;
}

/** Whether the interview stands still, and how to change that. */
export function usePause({ help, press, told, returns, agent }: PauseProps) {
  const [isBack, setBack] = useState(returns);
  const hasAsked = useRef(false);
  const { asked } = help;
  const isPausing = asked?.state === 'sent' && (asked.request === 'pause' || asked.request === 'resume');
  const isPaused = isBack || (told === undefined ? help.isPaused : told === 'true');

  // An interviewer whose candidate has come back goes on at once.
  const isThere = agent !== undefined;
  const pause = useRef(press);
  pause.current = press;
  useEffect(() => {
    if (!isBack || !isThere || hasAsked.current) return;
    hasAsked.current = true;
    pause.current('pause');
  }, [isBack, isThere]);

  return {
    isPaused,
    isBack,
    isPausing,
    toggle: () => {
      if (isPausing && !isBack) return;
      setBack(false);
      press(isPaused ? 'resume' : 'pause');
    },
  };
}
