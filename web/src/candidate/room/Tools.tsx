import { t } from '../../texts';
import { Key } from '../../ui/Key';
import { nameOf } from './keys';

interface ToolsProps {
  isLost: boolean;
  /** How much time has passed, in words. */
  time: string | undefined;
  withKeys: boolean;
  onSettings: () => void;
}

/** What stands in the bar of the room. */
export function Tools({ isLost, time, withKeys, onSettings }: ToolsProps) {
  return (
    <div className="tools push">
      {isLost && <span className="status warn">{t('room.noConnection')}</span>}
      {time && <span className="small soft num time">{time}</span>}
      <button type="button" className="btn dense" aria-haspopup="dialog" onClick={onSettings}>
        {t('room.settings')} {withKeys && <Key name={nameOf('settings')} />}
      </button>
    </div>
  );
}
