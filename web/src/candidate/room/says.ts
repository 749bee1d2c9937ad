/** What the live region holds to say `text` when it holds `was`: the very same again would be no change, and not be heard. */
export function saidNext(was: string, text: string): string {
  return was === text ? `${text}\u00a0` : text;
}
