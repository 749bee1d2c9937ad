import { useSyncExternalStore } from 'react';

/** Makes a hook whose state outlives whoever uses it: it is there until it is set anew, or the page is loaded anew. */
export function kept<T>(first: T) {
  let value = first;
  const told = new Set<() => void>();
  const get = () => value;
  /** A function makes the next value of the one that is there by then, as when a file has been read. */
  function set(next: T | ((value: T) => T)) {
    value = typeof next === 'function' ? (next as (value: T) => T)(value) : next;
    for (const tell of told) tell();
  }
  function subscribe(tell: () => void) {
    told.add(tell);
    return () => void told.delete(tell);
  }
  return () => [useSyncExternalStore(subscribe, get, get), set] as const;
}
