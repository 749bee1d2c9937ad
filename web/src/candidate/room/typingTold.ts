/** It holds for 20 s. */
const TOLD_EVERY_MS = 8000;

/** Whether it is time to tell again that keys are pressed. */
export function isDue(last: number | undefined, now: number): boolean {
  return last === undefined || now - last >= TOLD_EVERY_MS;
}
