import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { InterviewPage, InterviewRow, ListQuery } from '../api/contract';
import { query, request } from '../api/request';
import { t } from '../texts';
import { caughtUp, patched, type Shown, worthSaying } from './live';
import { nameOf } from './states';
import { useEvents } from './useEvents';

const keyOf = (asked: ListQuery) => ['interviews', asked] as const;

async function fetchPage(asked: ListQuery): Promise<InterviewPage> {
  return request<InterviewPage>('GET', `/api/interviews${query({ ...asked })}`);
}

/** A part of the list of interviews that changes in place while it is looked at. */
export function useList(asked: ListQuery) {
  const client = useQueryClient();
  const key = keyOf(asked);
  const { said, tell } = useStageSaid();
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: key,
    queryFn: async (): Promise<Shown> => {
      // What is made while it is asked for is new.
      const at = Date.now();
      return { page: await fetchPage(asked), fresh: [], at };
    },
    placeholderData: (before: Shown | undefined) => before,
  });
  const live = useEvents({
    onRow: (row) => {
      const shown = client.getQueryData<Shown>(key);
      if (!shown) return;
      tell(shown.page.rows, row);
      client.setQueryData<Shown>(key, patched(shown, row, asked));
    },
    onGap: async () => {
      // What could not be loaded while the line was cut can be now.
      if (!client.getQueryData<Shown>(key)) {
        await refetch();
        return;
      }
      const at = Date.now();
      const page = await fetchPage(asked).catch(() => undefined);
      const shown = client.getQueryData<Shown>(key);
      if (page && shown) client.setQueryData<Shown>(key, caughtUp(shown, page, at));
    },
  });

  return { shown: data, error, isFetching, isOld: isPlaceholderData, refetch, live, said };
}

/** The sentence that a screen reader reads when an interview of the list comes to its next stage. */
export function useStageSaid() {
  const [said, setSaid] = useState('');
  const saidAt = useRef(0);
  function tell(rows: readonly InterviewRow[], row: InterviewRow) {
    const before = rows.find(({ id }) => id === row.id);
    if (!worthSaying(before, row, saidAt.current, Date.now()) || !row.stage) return;
    saidAt.current = Date.now();
    setSaid(t('list.nowIn', { name: nameOf(row), stage: row.stage }));
  }
  return { said, tell };
}

/** A value once it has not changed for a while. */
export function useSettled<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}
