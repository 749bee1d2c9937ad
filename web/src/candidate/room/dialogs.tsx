import { t } from '../../texts';
import { Dialog } from '../../ui/Dialog';

/** Ending cannot be undone: it asks once, and carrying on has the focus. */
export function EndDialog({ onCarryOn, onEnd }: { onCarryOn: () => void; onEnd: () => void }) {
  return (
    <Dialog
      heading={t('dialog.end')}
      onSafe={onCarryOn}
      buttons={
        <>
          <button type="button" className="btn primary" data-safe onClick={onCarryOn}>
            {t('dialog.carryOn')}
          </button>
          <button type="button" className="btn danger push" onClick={onEnd}>
            {t('dialog.endInterview')}
          </button>
        </>
      }
    >
      <p>{t('dialog.endIs')}</p>
    </Dialog>
  );
}

/** The line is cut; everything waits. */
export function LostDialog({ tries, onNow, onLater }: { tries: number; onNow: () => void; onLater: () => void }) {
  return (
    <Dialog
      heading={t('dialog.lost')}
      buttons={
        <>
          <button type="button" className="btn primary" data-safe onClick={onNow}>
            {t('dialog.tryNow')}
          </button>
          <button type="button" className="btn" onClick={onLater}>
            {t('dialog.later')}
          </button>
        </>
      }
    >
      <p>{t('dialog.lostIs')}</p>
      <p className="small soft" role="status">
        {tries > 1 ? t('dialog.tries', { number: tries }) : t('dialog.twoMinutes')}
      </p>
    </Dialog>
  );
}

/** Another tab or device has opened the same link and taken our place. */
export function TakenDialog({ onTake }: { onTake: () => void }) {
  return (
    <Dialog
      heading={t('dialog.taken')}
      buttons={
        <button type="button" className="btn primary" data-safe onClick={onTake}>
          {t('dialog.take')}
        </button>
      }
    >
      <p>{t('dialog.takenIs')}</p>
    </Dialog>
  );
}
