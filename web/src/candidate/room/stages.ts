/** How far the current stage has come, 0..1, from the attribute `vivavoce.progress`; undefined when it says nothing. */
export function progressOf(attribute: string | undefined): number | undefined {
  const [, done, of] = attribute?.match(/^(\d+(?:\.\d+)?)(?:\/(\d+))?$/) ?? [];
  if (done === undefined) return undefined;
  const part = of === undefined ? Number(done) : Number(done) / Number(of);
  return Number.isFinite(part) ? Math.min(1, part) : undefined;
}
