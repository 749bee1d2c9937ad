/** Runs tasks in the order in which they come, so many at once at most. */
export function queueOf(most: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  function next() {
    if (running >= most) return;
    const begin = waiting.shift();
    if (!begin) return;
    running += 1;
    begin();
  }
  return async function run<T>(task: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      waiting.push(begin);
      next();
    });
    try {
      return await task();
    } finally {
      running -= 1;
      next();
    }
  };
}

const BUSY = 503;
/** How long to wait before each new try. */
const WAITS_MS = [1000, 2000, 4000, 8000];

/** Asks again while the server has too much to do. */
export async function patiently<T>(ask: () => Promise<T>, sleep = wait): Promise<T> {
  for (const ms of WAITS_MS) {
    try {
      return await ask();
    } catch (failure) {
      if (!isBusy(failure)) throw failure;
    }
    await sleep(ms);
  }
  return ask();
}

function isBusy(failure: unknown): boolean {
  return typeof failure === 'object' && failure !== null && 'status' in failure && failure.status === BUSY;
}

function wait(ms: number): Promise<void> {
  return new Promise((done) => setTimeout(done, ms));
}
