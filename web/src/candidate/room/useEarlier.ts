import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Transcript } from '../../api/client';
import { earlierOf } from '../../api/queries';
import type { Caption } from './captions';

/**
 * What was said before the room was joined: captions are sent to whoever is there, and to nobody later.
 * `joined`: changes when it was joined again.
 */
export function useEarlier(token: string, begun: boolean, joined: number): readonly Caption[] {
  const client = useQueryClient();
  const { data } = useQuery({ ...earlierOf(token), enabled: begun, select: captionsOf });
  useEffect(() => {
    if (joined > 0) client.invalidateQueries({ queryKey: earlierOf(token).queryKey });
  }, [client, token, joined]);
  return data;
}

const NOTHING: readonly Caption[] = [];

function captionsOf(transcript: Transcript | null): readonly Caption[] {
  if (!transcript) return NOTHING;
  return transcript.turns.map(({ speaker, text, cut }, n) => ({
    key: `earlier ${n}`,
    speaker,
    said: cut ? `${text} …` : text,
    partial: '',
  }));
}
