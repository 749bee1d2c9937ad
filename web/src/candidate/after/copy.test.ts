import { expect, it } from 'vitest';
import type { Transcript } from '../../api/client';
import { copyOf } from './copy';

/** C03: a candidate may keep a copy of what was said, and of what they have put right. */
it('has both versions', () => {
  const turn = (speaker: 'interviewer' | 'candidate', text: string, cut = false) => ({
    speaker,
    text,
    cut,
    stage: 'one',
    at_ms: 0,
  });
  const turns = [turn('interviewer', 'Where?'), turn('candidate', 'At Brim Holt'), turn('interviewer', 'And', true)];
  const transcript: Transcript = { state: 'completed', end: 'completed', turns };
  const names = { you: 'You', interviewer: 'Alba', corrected: 'Corrected' };
  expect(copyOf(transcript, [{ turn: 1, text: 'At Brimholt' }], names)).toBe(
    'Alba: Where?\n\nYou: At Brim Holt\nCorrected: At Brimholt\n\nAlba: And …\n',
  );
});
