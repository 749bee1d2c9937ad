import { t } from '../../texts';
import { Dialog } from '../../ui/Dialog';

interface LoseEditsProps {
  what: 'make' | 'discard';
  onKeep: () => void;
  onLose: () => void;
}

/** Asks once before what was changed in a plan is lost. */
export function LoseEdits({ what, onKeep, onLose }: LoseEditsProps) {
  const isMake = what === 'make';
  return (
    <Dialog
      heading={isMake ? t('plan.anewAsked') : t('plan.discardAsked')}
      onSafe={onKeep}
      buttons={
        <>
          <button type="button" className="btn primary" data-safe onClick={onKeep}>
            {t('plan.keep')}
          </button>
          <button type="button" className="btn danger" onClick={onLose}>
            {isMake ? t('plan.anew') : t('plan.discard')}
          </button>
        </>
      }
    >
      <p>{t('plan.lost')}</p>
    </Dialog>
  );
}
