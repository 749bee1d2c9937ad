import { expect, it } from 'vitest';
import { aroundValue } from './value';

/** L06: a value that is read back is shown large, sign by sign as it is written. */
it.each([
  ['Let me make sure that I got this right: ada_l42@example.org?', 'ada_l42@example.org'],
  ["Right: mary.o'brien@example.co.uk?", "mary.o'brien@example.co.uk"],
  ['Damit ich nichts Falsches notiere: +491723456789?', '+491723456789'],
  ['Right: 5551234567 ext. 12?', '5551234567 ext. 12'],
  ['Right: 0172345678?', '0172345678'],
  ['What did you do in 2019?', undefined],
  ['Can you start on 01/02/2025?', undefined],
  ['Is 3.14 @ all right?', undefined],
  ['Tell me about your work.', undefined],
])('%j has %j', (question, value) => {
  const parts = aroundValue(question);
  expect(parts?.value).toBe(value);
  if (parts) expect(parts.before + parts.value + parts.after).toBe(question);
});
