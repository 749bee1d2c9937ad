import type { Timeline } from '../api/contract';

/** How long after the interviewer's last sound spoken answers began, in milliseconds. */
export interface Delays {
  from: number;
  to: number;
  half: number;
}

/** Of all answers that began while the interviewer was silent; nothing where there is none. */
export function delaysOf(speech: Timeline['speech']): Delays | undefined {
  const inOrder = [...speech].sort((one, other) => one.from_ms - other.from_ms);
  const delays: number[] = [];
  inOrder.forEach((stretch, n) => {
    const before = inOrder[n - 1];
    if (stretch.speaker !== 'candidate' || before?.speaker !== 'interviewer') return;
    if (stretch.from_ms >= before.to_ms) delays.push(stretch.from_ms - before.to_ms);
  });
  delays.sort((one, other) => one - other);
  const [from, half, to] = [delays[0], delays[Math.floor((delays.length - 1) / 2)], delays.at(-1)];
  if (from === undefined || half === undefined || to === undefined) return undefined;
  return { from, half, to };
}
