import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import type { Caption } from './captions';

/**
 * What was said before the room was joined: captions are sent to whoever is there, and to nobody later.
 * `joined`: changes when it was joined again.
 */
export function useEarlier(token: string, begun: boolean, joined: number): readonly Caption[] {
  const [earlier, setEarlier] = useState<readonly Caption[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new connection is what it reads again for.
  useEffect(() => {
    if (!begun) return;
    let gone = false;
    api.transcript(token).then((answer) => {
      if (gone || !answer.ok) return;
      setEarlier(
        answer.data.turns.map(({ speaker, text, cut }, n) => ({
          key: `earlier ${n}`,
          speaker,
          said: cut ? `${text} …` : text,
          partial: '',
        })),
      );
    });
    return () => {
      gone = true;
    };
  }, [token, begun, joined]);
  return earlier;
}
