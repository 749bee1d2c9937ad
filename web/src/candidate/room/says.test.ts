import { expect, it } from 'vitest';
import { saidNext } from './says';

/** C02: a screen reader hears each time that it is the candidate's turn. */
it('is another text each time, and reads the same', () => {
  let said = '';
  for (const text of ['Your turn.', 'Your turn.', 'Your turn.', 'Next: Goodbye.', 'Your turn.']) {
    const next = saidNext(said, text);
    expect(next).not.toBe(said);
    expect(next.trim()).toBe(text);
    said = next;
  }
});
