import { useEffect, useRef } from 'react';
import { api, Failure } from '../../api/client';
import { isFinal } from '../../api/final';

/** How often our server is asked while the room is not there. */
const ASKS_EVERY_MS = 2000;
/** After so many asks in vain it does not answer. */
const VAIN_MAX = 4;
/** What a proxy says when nobody is behind it. */
const NOBODY_BEHIND = [502, 503, 504];

/** What an ask in vain means: the browser says itself when it has no network. */
export function vainAfter(vain: number, failure: Failure | undefined, isOnline: boolean): number {
  if (!failure || !isOnline) return 0;
  return failure.status === 0 || NOBODY_BEHIND.includes(failure.status) ? vain + 1 : 0;
}

interface StandingProps {
  token: string;
  /** Whether there is anything to ask: the room tells it as long as it is there. */
  asks: boolean;
  onOver: () => void;
  /** Our server does not answer either. */
  onUnreachable: () => void;
}

/** While the room is not there, the server says whether the interview is over. */
export function useStanding({ token, asks, onOver, onUnreachable }: StandingProps): void {
  const on = useRef({ onOver, onUnreachable });
  on.current = { onOver, onUnreachable };
  useEffect(() => {
    if (!asks) return;
    let vain = 0;
    let isHere = true;
    async function ask() {
      const { state, failure } = await standingOf(token);
      if (!isHere) return;
      if (isFinal(failure ?? null, state)) return on.current.onOver();
      vain = vainAfter(vain, failure, navigator.onLine);
      if (vain >= VAIN_MAX) on.current.onUnreachable();
    }
    const timer = window.setInterval(ask, ASKS_EVERY_MS);
    return () => {
      isHere = false;
      window.clearInterval(timer);
    };
  }, [token, asks]);
}

async function standingOf(token: string) {
  try {
    const { state } = await api.candidate(token);
    return { state, failure: undefined };
  } catch (why) {
    if (why instanceof Failure) return { state: undefined, failure: why };
    throw why;
  }
}

/** Whether our server answers now. */
export async function answers(token: string): Promise<boolean> {
  const { failure } = await standingOf(token);
  return vainAfter(0, failure, true) === 0;
}
