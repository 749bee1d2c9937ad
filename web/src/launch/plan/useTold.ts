import { useState } from 'react';

/**
 * What is wrong with a text, once it is time to say so: when its field is left with something in it, and when all that is
 * wrong is told. From then on it is checked at each key.
 */
export function useTold(text: string, check: (text: string) => string | undefined, isAllTold: boolean) {
  const [isTold, setTold] = useState(false);
  const wrong = check(text);
  return {
    error: isTold || isAllTold ? wrong : undefined,
    onBlur: () => setTold(Boolean(text.trim() && wrong)),
  };
}
