import { useEffect, useState } from 'react';
import { api } from '../../api/client';
import type { Caption } from './captions';

/** What was said before the page was opened: captions are sent to whoever is there, and to nobody later. */
export function useEarlier(token: string, begun: boolean): readonly Caption[] {
  const [earlier, setEarlier] = useState<readonly Caption[]>([]);
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
  }, [token, begun]);
  return earlier;
}
