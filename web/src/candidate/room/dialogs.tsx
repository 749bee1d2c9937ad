import { useState } from 'react';
import { locale, t } from '../../texts';
import { Dialog } from '../../ui/Dialog';
import { answers } from './useStanding';

interface EndDialogProps {
  onCarryOn: () => void;
  /** Without it there is no pause to be had. */
  onPause: (() => void) | undefined;
  onEnd: () => void;
}

/** Ending cannot be undone: it asks once, and carrying on has the focus. */
export function EndDialog({ onCarryOn, onPause, onEnd }: EndDialogProps) {
  return (
    <Dialog
      heading={t('dialog.end')}
      onSafe={onCarryOn}
      buttons={
        <>
          <button type="button" className="btn primary" data-safe onClick={onCarryOn}>
            {t('dialog.carryOn')}
          </button>
          {onPause && (
            <button type="button" className="btn" onClick={onPause}>
              {t('room.pause')}
            </button>
          )}
          <button type="button" className="btn danger push" onClick={onEnd}>
            {t('dialog.endInterview')}
          </button>
        </>
      }
    >
      <p>{t('dialog.endIs')}</p>
      {onPause && <p>{t('dialog.pauseInstead')}</p>}
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
      <p>{t('dialog.twoMinutes')}</p>
      {tries > 1 && (
        <p className="small soft" role="status">
          {t('dialog.tries', { number: tries })}
        </p>
      )}
    </Dialog>
  );
}

interface StoppedDialogProps {
  token: string;
  onBack: () => void;
  /** The server answers: it goes on when somebody wants to. */
  mayGoOn: boolean;
}

/** Neither the room nor our server answers, or the interviewer alone was stopped. */
export function StoppedDialog({ token, onBack, mayGoOn }: StoppedDialogProps) {
  const [tried, setTried] = useState<'asking' | Date>();
  async function tryAgain() {
    if (tried === 'asking') return;
    setTried('asking');
    if (await answers(token)) return onBack();
    setTried(new Date());
  }
  return (
    <Dialog
      heading={t('dialog.stopped')}
      buttons={
        <button
          type="button"
          className="btn primary"
          data-safe
          aria-disabled={tried === 'asking' || undefined}
          onClick={tryAgain}
        >
          {tried === 'asking' ? t('dialog.trying') : mayGoOn ? t('room.goOn') : t('tryAgain')}
        </button>
      }
    >
      <p>{mayGoOn ? t('accommodation.mayGoOn') : t('dialog.stoppedIs')}</p>
      <p className="small soft" role="status">
        {tried instanceof Date && t('dialog.stillStopped', { time: timeOf(tried) })}
      </p>
    </Dialog>
  );
}

function timeOf(date: Date): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: 'medium' }).format(date);
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
