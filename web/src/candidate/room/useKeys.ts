import { useEffect, useRef } from 'react';
import { type KeyAction, keyActionOf } from './keys';

const BUSY = 'input, select, textarea, [contenteditable], dialog';

/** Keys that do something by themselves, when no field or dialog has the focus and `on`. */
export function useKeys(on: boolean, act: (action: KeyAction) => void): void {
  const acting = useRef(act);
  acting.current = act;
  useEffect(() => {
    if (!on) return;
    function pressed(event: KeyboardEvent) {
      const isBusy = event.target instanceof Element && event.target.closest(BUSY);
      const action = keyActionOf(event);
      if (!action || isBusy || document.querySelector('dialog[open]')) return;
      // Else it would be typed into a field that it has opened.
      event.preventDefault();
      acting.current(action);
    }
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [on]);
}
