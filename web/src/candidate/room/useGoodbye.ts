import { useEffect, useRef } from 'react';
import { api } from '../../api/client';

const ASK_EVERY_MS = 1000;

/** Once the interviewer has been there and has left, the journal says whether it was the end. */
export function useGoodbye(token: string, agentIsThere: boolean, onOver: () => void) {
  const wasThere = useRef(false);
  const over = useRef(onOver);
  over.current = onOver;

  useEffect(() => {
    wasThere.current ||= agentIsThere;
    if (agentIsThere || !wasThere.current) return;
    let gone = false;
    let timer: number | undefined;
    async function ask() {
      const answer = await api.transcript(token);
      if (gone) return;
      const isOver = answer.ok && (answer.data.state === 'completed' || answer.data.state === 'interrupted');
      if (isOver) over.current();
      else timer = window.setTimeout(ask, ASK_EVERY_MS);
    }
    ask();
    return () => {
      gone = true;
      window.clearTimeout(timer);
    };
  }, [token, agentIsThere]);
}
