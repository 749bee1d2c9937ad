import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import type { InterviewRow } from '../api/contract';
import { EVENTS } from '../api/interviews';
import { session } from '../api/session';
import { waitOf } from './live';

interface Told {
  onRow: (row: InterviewRow) => void;
  /** Changes may have been missed. */
  onGap: () => void;
}

/** Told of each change of an interview, for as long as the page is open; tries again by itself when the line is cut. */
export function useEvents({ onRow, onGap }: Told) {
  const client = useQueryClient();
  const [state, setState] = useState<'connecting' | 'live' | 'cut'>('connecting');
  const [again, setAgain] = useState(0);
  const row = useEffectEvent((data: string) => onRow(JSON.parse(data) as InterviewRow));
  const gap = useEffectEvent(onGap);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` is how somebody asks to try now.
  useEffect(() => {
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let tries = 0;
    let wasCut = false;
    function open() {
      source = new EventSource(EVENTS);
      source.onopen = () => {
        setState('live');
        tries = 0;
        if (wasCut) gap();
        wasCut = false;
      };
      source.addEventListener('interview', ({ data }) => row(data));
      source.addEventListener('reload', () => gap());
      source.onerror = () => {
        source?.close();
        setState('cut');
        wasCut = true;
        // It does not say why; the session tells whether somebody has to sign in first.
        if (tries === 0) client.invalidateQueries({ queryKey: session.queryKey });
        timer = setTimeout(open, waitOf(tries, Math.random()));
        tries += 1;
      };
    }
    open();
    return () => {
      clearTimeout(timer);
      source?.close();
    };
  }, [client, again]);
  return { state, tryNow: () => setAgain((again) => again + 1) };
}
