import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { listOf } from '../api/interviews';
import { isLive, isToDecide } from '../interviews/states';
import { useEvents } from '../interviews/useEvents';
import { useStageSaid } from '../interviews/useList';

const PAGE = { sort: 'updated_at', descending: true, max: 200 } as const;
const RUNNING = listOf({ needs: 'company', ...PAGE });
const TO_DECIDE = listOf({ needs: 'decision', ...PAGE });
/** The least time between two requests for what has changed. */
const AGAIN_MS = 1000;

/** The interviews that need somebody now, as the server finds them among all; asked for again when one changes. */
export function useNeeds() {
  const client = useQueryClient();
  const { said, tell } = useStageSaid();
  const running = useQuery(RUNNING);
  const toDecide = useQuery(TO_DECIDE);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function askAgain() {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      for (const { queryKey } of [RUNNING, TO_DECIDE]) client.invalidateQueries({ queryKey });
    }, AGAIN_MS);
  }
  const live = useEvents({
    onRow: (row) => {
      const shown = [running.data, toDecide.data].flatMap((page) => page?.rows ?? []);
      tell(shown, row);
      if (isLive(row.state) || isToDecide(row) || shown.some(({ id }) => id === row.id)) askAgain();
    },
    onGap: askAgain,
  });
  return {
    running: running.data,
    toDecide: toDecide.data,
    error: running.error ?? toDecide.error,
    at: Math.min(running.dataUpdatedAt, toDecide.dataUpdatedAt),
    live,
    said,
  };
}
