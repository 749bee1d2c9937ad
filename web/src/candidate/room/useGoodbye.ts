import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isFinal } from '../../api/final';
import { goodbyeOf } from '../../api/queries';

/** When the interviewer was there and is not any more, the journal says whether it was the end. */
export function useGoodbye(token: string, isAway: boolean, onOver: () => void) {
  const over = useRef(onOver);
  over.current = onOver;
  const { data, error } = useQuery({ ...goodbyeOf(token), enabled: isAway });
  const isOver = isAway && isFinal(error, data?.state);

  useEffect(() => {
    if (isOver) over.current();
  }, [isOver]);
}
