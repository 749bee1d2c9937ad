import { type ReactNode, useEffect, useId, useRef } from 'react';

interface DialogProps {
  heading: string;
  /** What Esc does: the safe answer. Without it Esc does nothing. */
  onSafe?: () => void;
  /** What is said below the heading. */
  children: ReactNode;
  /** Buttons, the safe one first and with `autoFocus`. */
  buttons: ReactNode;
}

/** A modal dialog that is open for as long as it is rendered; the focus returns to where it was. */
export function Dialog({ heading, onSafe, children, buttons }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    const element = dialog.current;
    show(element);
    return () => {
      element?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={`${id}-h`}
      aria-describedby={`${id}-p`}
      onCancel={(event) => {
        event.preventDefault();
        onSafe?.();
      }}
      // Browsers let nobody be held by Esc: pressed again, it closes without asking.
      onClose={() => {
        // Closed by us, when it was answered.
        if (!dialog.current) return;
        if (onSafe) onSafe();
        else show(dialog.current);
      }}
    >
      <div className="stack">
        <h2 id={`${id}-h`}>{heading}</h2>
        <div id={`${id}-p`} className="stack">
          {children}
        </div>
        <div className="row">{buttons}</div>
      </div>
    </dialog>
  );
}

function show(dialog: HTMLDialogElement | null) {
  dialog?.showModal();
  dialog?.querySelector<HTMLElement>('[data-safe]')?.focus();
}
