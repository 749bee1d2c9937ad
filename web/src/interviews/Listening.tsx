import { useEffect, useRef, useState } from 'react';
import type { InterviewRow } from '../api/contract';
import { listenTo } from '../api/interviews';
import { t } from '../texts';
import { Notice } from '../ui/Notice';
import { nameOf } from './states';

interface ListeningProps {
  row: InterviewRow;
  onStop: () => void;
}

/** Plays both sides of an interview for as long as it is rendered. */
export function Listening({ row, onStop }: ListeningProps) {
  const [state, setState] = useState<{ kind: 'joining' | 'hearing' | 'gone' } | { kind: 'failed'; why: string }>({
    kind: 'joining',
  });
  const button = useRef<HTMLButtonElement>(null);
  const { id } = row;
  useEffect(() => {
    let isWanted = true;
    let leave: (() => void) | undefined;
    async function join() {
      // It brings livekit-client along, which nobody needs before.
      const [{ listenIn }, { url, token }] = await Promise.all([import('./listen'), listenTo(id)]);
      if (!isWanted) return;
      leave = await listenIn(url, token, () => isWanted && setState({ kind: 'gone' }));
      if (isWanted) setState({ kind: 'hearing' });
      else leave();
    }
    join().catch((why: unknown) => {
      if (isWanted) setState({ kind: 'failed', why: why instanceof Error ? why.message : String(why) });
    });
    button.current?.focus();
    return () => {
      isWanted = false;
      leave?.();
    };
  }, [id]);
  const name = nameOf(row);
  const isBad = state.kind === 'failed';
  return (
    <Notice
      kind={isBad ? 'bad' : 'info'}
      icon={isBad ? 'warn' : 'sound'}
      heading={isBad ? t('listen.failed') : t('listen.on', { name })}
      told="soon"
      action={
        <button type="button" className="btn dense" onClick={onStop} ref={button}>
          {state.kind === 'hearing' || state.kind === 'joining' ? t('listen.stop') : t('listen.close')}
        </button>
      }
    >
      <p>
        {state.kind === 'joining' && t('listen.joining')}
        {state.kind === 'hearing' && t('listen.hearing')}
        {state.kind === 'gone' && t('listen.gone')}
        {state.kind === 'failed' && state.why}
      </p>
    </Notice>
  );
}
