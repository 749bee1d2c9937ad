import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isFinal } from '../../api/final';
import { goodbyeOf } from '../../api/queries';

/**
 * When the interviewer was there and is not any more, the journal says whether it was the end. Returns whether they
 * were stopped: then it goes on as soon as somebody wants to.
 */
export function useGoodbye(token: string, isAway: boolean, onOver: () => void): boolean {
  const over = useRef(onOver);
  over.current = onOver;
  const { data, error } = useQuery({ ...goodbyeOf(token), enabled: isAway });
  const isOver = isAway && isFinal(error, data?.state);

  useEffect(() => {
    if (isOver) over.current();
  }, [isOver]);
  return isAway && data?.state === 'stopped';
}
