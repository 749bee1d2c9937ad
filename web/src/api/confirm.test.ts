import { expect, it } from 'vitest';
import { confirmed, onConfirm } from './confirm';

/** Two requests that wait ask once; the next one asks again, and nobody there to ask is a no. */
it('asks once for all that wait', async () => {
  expect(await confirmed()).toBe(false);
  let asked = 0;
  let answer: (is: boolean) => void = () => {};
  onConfirm(() => {
    asked += 1;
    return new Promise((resolve) => {
      answer = resolve;
    });
  });
  const both = [confirmed(), confirmed()];
  expect(asked).toBe(1);
  answer(true);
  expect(await Promise.all(both)).toEqual([true, true]);
  const again = confirmed();
  expect(asked).toBe(2);
  answer(false);
  expect(await again).toBe(false);
});
