import { useEffect, useRef } from 'react';
import { at } from '../../api/request';
import { type Fact, factOf, pasteOf } from './noted';

/**
 * Tells the server that the page was left, that somebody came back, and what they pasted, where the opening asks for it
 * and they were told before. Returns what to do at a paste.
 */
export function useNoted(token: string, isNoted: boolean): (pasted: string) => void {
  const wasHidden = useRef(document.hidden);
  useEffect(() => {
    if (!isNoted) return;
    const changed = () => {
      tell(token, factOf(wasHidden.current, document.hidden));
      wasHidden.current = document.hidden;
    };
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, [token, isNoted]);
  return (pasted) => isNoted && tell(token, pasteOf(pasted));
}

/** What does not arrive is not noted: nothing of the interview waits for it. */
function tell(token: string, fact: Fact | undefined): void {
  if (!fact) return;
  fetch(at`/api/candidate/${token}/integrity`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fact),
    // A page that is closed has told it all the same.
    keepalive: true,
  }).catch(() => undefined);
}
