import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Transcript } from '../../api/client';
import { earlierOf } from '../../api/queries';
import type { Caption } from './captions';
import { type Question, questionIn } from './question';

/**
 * What was said before the room was joined: captions are sent to whoever is there, and to nobody later.
 * `joined`: changes when it was joined again.
 */
export function useEarlier(token: string, begun: boolean, joined: number): Earlier {
  const client = useQueryClient();
  const { data } = useQuery({ ...earlierOf(token), enabled: begun, select: earlierIn });
  useEffect(() => {
    if (joined > 0) client.invalidateQueries({ queryKey: earlierOf(token).queryKey });
  }, [client, token, joined]);
  return data;
}

/** What was said before. */
export interface Earlier {
  captions: readonly Caption[];
  /** The question that waited then. */
  question: Question | undefined;
  /** When the last of it was said, in milliseconds of the interview. */
  lastMs: number;
}

const NOTHING: Earlier = { captions: [], question: undefined, lastMs: 0 };

function earlierIn(transcript: Transcript | null): Earlier {
  if (!transcript) return NOTHING;
  const captions = transcript.turns.map(({ speaker, text, cut }, n) => ({
    key: `earlier ${n}`,
    speaker,
    said: cut ? `${text} …` : text,
    partial: '',
  }));
  return { captions, question: questionIn(transcript.turns), lastMs: transcript.turns.at(-1)?.at_ms ?? 0 };
}
