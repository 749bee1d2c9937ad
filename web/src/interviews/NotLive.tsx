import { t } from '../texts';
import { Notice } from '../ui/Notice';
import { timeOf } from '../ui/time';
import type { useEvents } from './useEvents';

/** Says from when the list is while changes do not come. */
export function NotLive({ live, at }: { live: ReturnType<typeof useEvents>; at: number }) {
  if (live.state !== 'cut') return null;
  return (
    <Notice
      kind="warn"
      icon="off"
      heading={t('list.notLive')}
      told="soon"
      action={
        <button type="button" className="btn dense" onClick={live.tryNow}>
          {t('list.tryNow')}
        </button>
      }
    >
      <p>{t('list.asOf', { time: timeOf(at) })}</p>
    </Notice>
  );
}
