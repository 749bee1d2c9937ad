import type { Transcript } from '../../api/client';
import type { Correction } from './requests';

/** All that was said, and what was put right, as plain text to keep. */
export function copyOf(
  { turns }: Transcript,
  corrections: readonly Correction[],
  names: { you: string; interviewer: string; corrected: string },
): string {
  const lines = turns.map(({ speaker, text, cut }, turn) => {
    const name = speaker === 'candidate' ? names.you : names.interviewer;
    const said = `${name}: ${text}${cut ? ' …' : ''}`;
    const correction = corrections.find((one) => one.turn === turn);
    return correction ? `${said}\n${names.corrected}: ${correction.text}` : said;
  });
  return `${lines.join('\n\n')}\n`;
}
