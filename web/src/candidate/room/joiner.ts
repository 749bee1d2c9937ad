import { type Admission, Failure } from '../../api/client';
import { isRefused } from '../../api/final';
import { retryDelayMs } from './retry';

/** How a connection was lost: it broke, another tab took it, or nobody waits in the room any more. */
export type Loss = 'cut' | 'taken' | 'over';

/** Conflict: the interview is over. */
const OVER = 409;

interface JoinerProps {
  /** The admission that came with the page; every later one is fetched. */
  first: Admission;
  admit: () => Promise<Admission>;
  connect: (admission: Admission) => Promise<void>;
  /** Gives up a connection that is broken, or not made yet. */
  disconnect: () => Promise<void>;
  onJoined: () => void;
  /** `tries`: how many new connections were made or are planned since the last one broke. */
  onCut: (tries: number) => void;
  onTaken: () => void;
  onOver: () => void;
}

/** Joins a room, and joins it again whenever it is cut: one attempt at a time, and one plan for the next. */
export function joiner({ first, admit, connect, disconnect, onJoined, onCut, onTaken, onOver }: JoinerProps) {
  let admission: Admission | undefined = first;
  /** The newest attempt; whatever an older one comes to is stale. */
  let round = 0;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  /** Whether this round's connection was told of as lost. */
  let told = false;
  /** Whether it is given up until somebody wants to join. */
  let isResting = false;

  function begin(): number {
    clearTimeout(retry);
    told = false;
    round += 1;
    return round;
  }
  async function attempt() {
    const mine = begin();
    let ticket: Admission;
    try {
      ticket = admission ?? (await admit());
    } catch (why) {
      if (mine !== round) return;
      return isOver(why) ? onOver() : lost('cut');
    } finally {
      admission = undefined;
    }
    if (mine !== round) return;
    try {
      await connect(ticket);
    } catch {
      // livekit-client tells of most failures as a lost connection, and throws them too.
      if (mine === round && !told) lost('cut');
      return;
    }
    if (mine !== round || told) return;
    failures = 0;
    onJoined();
  }
  function lost(loss: Loss) {
    if (isResting) return;
    told = true;
    clearTimeout(retry);
    if (loss === 'taken') return onTaken();
    if (loss === 'over') return onOver();
    retry = setTimeout(attempt, retryDelayMs(failures, Math.random()));
    failures += 1;
    onCut(failures);
  }

  return {
    join: attempt,
    /** Joins at once, whatever is under way or planned. */
    async joinNow() {
      isResting = false;
      const mine = begin();
      await disconnect();
      if (mine === round) await attempt();
    },
    /** To be told of every connection that is lost, also while it is made. */
    lost,
    /** Gives up until `joinNow`. */
    rest() {
      isResting = true;
      begin();
      disconnect().catch(() => undefined);
    },
    close() {
      begin();
    },
  };
}

/** Whether nobody is admitted any more. */
function isOver(why: unknown): boolean {
  return why instanceof Failure && (why.status === OVER || isRefused(why));
}
