import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Failure } from '../../api/client';
import { joiner, type Loss } from './joiner';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** How a connection fails: livekit-client tells of it, throws, or both. */
type Fault = { told?: Loss; thrown?: boolean };

/**
 * A joiner whose every connection fails so; `undefined` is one that comes about, `hangs` one that does neither, and
 * `late`, as of an admission, one that comes about with `comeAbout`, given up or not.
 */
function joining(
  outcome: () => Fault | 'hangs' | 'late' | undefined,
  admitted: 'yes' | 'late' | 404 | 409 | 410 | 503 = 'yes',
) {
  const began = Date.now();
  const seen: string[] = [];
  const awaited: (() => void)[] = [];
  const later = () => new Promise<void>((resolve) => awaited.push(resolve));
  const note = (what: string) => seen.push(`${what} ${(Date.now() - began) / 1000}`);
  const admission = { url: 'ws://room', token: 'token' };
  let giveUp: (why: unknown) => void = () => undefined;
  const joins = joiner({
    first: admission,
    admit: async () => {
      note('start');
      if (admitted === 'late') await later();
      if (admitted === 'yes' || admitted === 'late') return admission;
      throw new Failure(admitted, { message: '', fields: [] });
    },
    connect: async () => {
      note('connect');
      const failure = outcome();
      if (failure === 'late') return later();
      if (failure === 'hangs')
        return new Promise((_, reject) => {
          giveUp = reject;
        });
      if (failure?.told) joins.lost(failure.told);
      if (failure?.thrown) throw new Error('no connection');
    },
    disconnect: async () => giveUp(new Error('given up')),
    onJoined: () => note('joined'),
    onCut: () => undefined,
    onTaken: () => note('taken'),
    onOver: () => note('over'),
  });
  function comeAbout() {
    for (const resolve of awaited.splice(0)) resolve();
  }
  return { joins, seen, of: (what: string) => seen.filter((one) => one.startsWith(what)), comeAbout };
}

/** C02: "We are trying again": after 1, 2, 4, 8 s, however a connection fails. */
describe('a room that cannot be joined', () => {
  it.each<Fault>([{ told: 'cut', thrown: true }, { told: 'cut' }, { thrown: true }])(
    'is tried once at a time: %o',
    async (failure) => {
      const { joins, of } = joining(() => failure);
      joins.join();
      await vi.advanceTimersByTimeAsync(20_000);
      expect(of('connect')).toEqual(['connect 0', 'connect 1', 'connect 3', 'connect 7', 'connect 15']);
      expect(of('start')).toEqual(['start 1', 'start 3', 'start 7', 'start 15']);
    },
  );

  it('is tried again when nobody admits us', async () => {
    const { joins, of } = joining(() => ({ told: 'cut', thrown: true }), 503);
    joins.join();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(of('start')).toEqual(['start 1', 'start 3', 'start 7']);
  });

  it.each([404, 409, 410] as const)('is left alone by whom nobody admits: %d', async (status) => {
    const { joins, seen } = joining(() => ({ told: 'cut', thrown: true }), status);
    joins.join();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual(['connect 0', 'start 1', 'over 1']);
  });

  it.each(['taken', 'over'] as const)('is left alone once it is %s', async (loss) => {
    const { joins, seen } = joining(() => ({ told: loss, thrown: true }));
    joins.join();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen).toEqual(['connect 0', `${loss} 0`]);
  });

  it('is left alone by whoever has gone', async () => {
    const { joins, of } = joining(() => ({ told: 'cut', thrown: true }));
    joins.join();
    await vi.advanceTimersByTimeAsync(1500);
    joins.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(of('connect')).toEqual(['connect 0', 'connect 1']);
  });
});

/** C02: "Try now" and "Use this tab" take the place of what was planned, and of what is under way. */
describe('joining now', () => {
  it('leaves no second plan', async () => {
    let fails = true;
    const { joins, of } = joining(() => (fails ? { told: 'cut', thrown: true } : undefined));
    joins.join();
    await vi.advanceTimersByTimeAsync(500);
    fails = false;
    joins.joinNow();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(of('connect')).toEqual(['connect 0', 'connect 0.5']);
    expect(of('joined')).toEqual(['joined 0.5']);
  });

  it('gives up what hangs', async () => {
    const outcomes: ('hangs' | undefined)[] = ['hangs', undefined];
    const { joins, of } = joining(() => outcomes.shift());
    joins.join();
    await vi.advanceTimersByTimeAsync(500);
    joins.joinNow();
    joins.joinNow();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(of('start')).toEqual(['start 0.5']);
    expect(of('connect')).toEqual(['connect 0', 'connect 0.5']);
    expect(of('joined')).toEqual(['joined 0.5']);
  });
});

/** C02: when nobody answers at all, it is given up until somebody presses a button, and not tried for ever. */
it('rests until it is wanted again', async () => {
  let fails = true;
  const { joins, of } = joining(() => (fails ? { told: 'cut', thrown: true } : undefined));
  joins.join();
  await vi.advanceTimersByTimeAsync(1500);
  joins.rest();
  joins.lost('cut');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(of('connect')).toEqual(['connect 0', 'connect 1']);
  fails = false;
  joins.joinNow();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(of('joined')).toEqual(['joined 61.5']);
});

/** C02: a line that was good breaks: the first try comes soon, however long it took to join before. */
it('counts the tries anew once joined', async () => {
  const outcomes: (Fault | undefined)[] = [{ thrown: true }, { told: 'cut' }, { told: 'cut', thrown: true }];
  const { joins, of } = joining(() => outcomes.shift());
  joins.join();
  await vi.advanceTimersByTimeAsync(60_000);
  joins.lost('cut');
  await vi.advanceTimersByTimeAsync(60_000);
  expect(of('joined')).toEqual(['joined 7', 'joined 61']);
});

/** C02: what was given up, or left, and comes about after all is nothing any more. */
describe.each(['joinNow', 'close'] as const)('after %s', (given) => {
  it('an admission that comes late leads nowhere', async () => {
    const outcomes: (Fault | undefined)[] = [{ thrown: true }];
    const { joins, of, comeAbout } = joining(() => outcomes.shift(), 'late');
    joins.join();
    await vi.advanceTimersByTimeAsync(1500);
    expect(of('start')).toEqual(['start 1']);
    joins[given]();
    await vi.advanceTimersByTimeAsync(500);
    comeAbout();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(of('connect')).toEqual(given === 'close' ? ['connect 0'] : ['connect 0', 'connect 2']);
    expect(of('joined')).toEqual(given === 'close' ? [] : ['joined 2']);
  });

  it('a connection that comes late is not joined', async () => {
    const outcomes: ('late' | undefined)[] = ['late', undefined];
    const { joins, of, comeAbout } = joining(() => outcomes.shift());
    joins.join();
    await vi.advanceTimersByTimeAsync(500);
    joins[given]();
    await vi.advanceTimersByTimeAsync(500);
    comeAbout();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(of('joined')).toEqual(given === 'close' ? [] : ['joined 0.5']);
  });
});
