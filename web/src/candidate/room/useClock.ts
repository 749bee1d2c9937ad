import { useEffect, useRef, useState } from 'react';
import { elapsedOf } from './clock';

const TICK_MS = 5000;

interface ClockProps {
  /** Whether the interview's own time passes now. */
  isRunning: boolean;
  /** `vivavoce.elapsed`: what the interviewer's clock says, in seconds. */
  attribute: string | undefined;
  /** When the last of what was said before the page was opened was said, in milliseconds of the interview. */
  earlierMs: number;
}

/** How much of the interview's time has passed, in milliseconds: by the interviewer's clock, or near it by ours. */
export function useClock({ isRunning, attribute, earlierMs }: ClockProps): number {
  const [ownMs, setOwnMs] = useState(0);
  const told = elapsedOf(attribute);
  const toldAt = useRef({ told, ownMs: 0 });
  if (toldAt.current.told !== told) toldAt.current = { told, ownMs };

  useEffect(() => {
    if (!isRunning) return;
    let last = performance.now();
    const timer = window.setInterval(() => {
      const now = performance.now();
      const passed = now - last;
      last = now;
      setOwnMs((ms) => ms + passed);
    }, TICK_MS);
    return () => window.clearInterval(timer);
  }, [isRunning]);

  return told === undefined ? earlierMs + ownMs : told * 1000 + (ownMs - toldAt.current.ownMs);
}
