import { useEffect, useRef } from 'react';
import { api } from '../../api/client';
import { isFinal } from '../../api/final';

const ASK_EVERY_MS = 1000;

/** When the interviewer was there and is not any more, the journal says whether it was the end. */
export function useGoodbye(token: string, isAway: boolean, onOver: () => void) {
  const over = useRef(onOver);
  over.current = onOver;

  useEffect(() => {
    if (!isAway) return;
    let gone = false;
    let timer: number | undefined;
    async function ask() {
      const answer = await api.transcript(token);
      if (gone) return;
      if (isFinal(answer, answer.ok ? answer.data.state : undefined)) over.current();
      else timer = window.setTimeout(ask, ASK_EVERY_MS);
    }
    ask();
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [token, isAway]);
}
