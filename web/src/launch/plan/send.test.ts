import { describe, expect, it } from 'vitest';
import { Failure } from '../../api/client';
import { patiently, queueOf } from './send';

const failed = (status: number) => new Failure(status, { message: '', fields: [] });

/** K05: the server reads two documents at once, and says so when it has more. */
describe('sending documents', () => {
  it('sends two at once, in their order, and goes on after a failure', async () => {
    const run = queueOf(2);
    const begun: number[] = [];
    const ends: ((failure?: Error) => void)[] = [];
    const sent = [0, 1, 2, 3].map((number) =>
      run(() => {
        begun.push(number);
        return new Promise<void>((done, fail) => ends.push((failure) => (failure ? fail(failure) : done())));
      }).catch(() => undefined),
    );
    await settled();
    expect(begun).toEqual([0, 1]);
    ends[1]?.(failed(422));
    await settled();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]?.();
    await settled();
    expect(begun).toEqual([0, 1, 2, 3]);
    for (const end of ends) end();
    await Promise.all(sent);
  });

  it.each([
    [[503, 503], 'read', 3],
    [[503, 422], 422, 2],
    [[422], 422, 1],
    [[503, 503, 503, 503, 503], 503, 5],
  ])('after %j: %s', async (statuses, result, asked) => {
    const left = [...statuses];
    let asks = 0;
    const ask = async () => {
      asks += 1;
      const status = left.shift();
      if (status) throw failed(status);
      return 'read';
    };
    const answer = await patiently(ask, async () => undefined).catch((failure: Failure) => failure.status);
    expect(answer).toBe(result);
    expect(asks).toBe(asked);
  });
});

/** Lets everything that is ready go on. */
function settled(): Promise<void> {
  return new Promise((done) => setTimeout(done));
}
