import { Dialog } from '../../ui/Dialog';

/** Ending cannot be undone: it asks once, and carrying on has the focus. */
export function EndDialog({ onCarryOn, onEnd }: { onCarryOn: () => void; onEnd: () => void }) {
  return (
    <Dialog
      heading="End the interview here?"
      onSafe={onCarryOn}
      buttons={
        <>
          <button type="button" className="btn primary" data-safe onClick={onCarryOn}>
            Carry on
          </button>
          <button type="button" className="btn danger push" onClick={onEnd}>
            End interview
          </button>
        </>
      }
    >
      <p>Your answers so far are saved. You cannot go on with this interview afterwards.</p>
    </Dialog>
  );
}

/** The line is cut; everything waits. */
export function LostDialog({ tries, onNow, onLater }: { tries: number; onNow: () => void; onLater: () => void }) {
  return (
    <Dialog
      heading="Your answers are saved"
      buttons={
        <>
          <button type="button" className="btn primary" data-safe onClick={onNow}>
            Try now
          </button>
          <button type="button" className="btn" onClick={onLater}>
            Come back later
          </button>
        </>
      }
    >
      <p>The connection dropped. We are trying again, and the clock has stopped.</p>
      <p className="small soft" role="status">
        {tries > 1 ? `Try ${tries}. ` : ''}If it takes more than 2 minutes, the interview ends where it is.
      </p>
    </Dialog>
  );
}

/** Another tab or device has opened the same link and taken our place. */
export function TakenDialog({ onTake }: { onTake: () => void }) {
  return (
    <Dialog
      heading="The interview is open in another tab"
      buttons={
        <button type="button" className="btn primary" data-safe onClick={onTake}>
          Use this tab
        </button>
      }
    >
      <p>It goes on there, and your answers are saved. You can bring it back to this tab.</p>
    </Dialog>
  );
}
