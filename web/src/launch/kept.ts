import { useSyncExternalStore } from 'react';

/** Where a value is kept over a reload: this tab's memory, which the browser forgets when the tab is closed. */
export interface Place<T> {
  key: string;
  /** What becomes of a value that is found there. */
  restore: (found: T) => T;
  storage?: Pick<Storage, 'getItem' | 'setItem'>;
}

/** Makes a hook whose state outlives whoever uses it: until it is set anew, or without a place the page is loaded anew. */
export function kept<T>(first: T, place?: Place<T>) {
  let value = (place && found(place)) ?? first;
  const told = new Set<() => void>();
  const get = () => value;
  /** A function makes the next value of the one that is there by then, as when a file has been read. */
  function set(next: T | ((value: T) => T)) {
    value = typeof next === 'function' ? (next as (value: T) => T)(value) : next;
    if (place) keep(place, value);
    for (const tell of told) tell();
  }
  function subscribe(tell: () => void) {
    told.add(tell);
    return () => void told.delete(tell);
  }
  return () => [useSyncExternalStore(subscribe, get, get), set] as const;
}

function storageOf<T>({ storage }: Place<T>) {
  return storage ?? (typeof sessionStorage === 'undefined' ? undefined : sessionStorage);
}

/** What is kept there; nothing if the browser keeps nothing, or something else is there. */
function found<T>(place: Place<T>): T | undefined {
  try {
    const text = storageOf(place)?.getItem(place.key);
    return text ? place.restore(JSON.parse(text) as T) : undefined;
  } catch {
    return undefined;
  }
}

/** A value that has no room there is lost with the page, as all were before. */
function keep<T>(place: Place<T>, value: T) {
  try {
    storageOf(place)?.setItem(place.key, JSON.stringify(value));
  } catch {
    // Full, or forbidden.
  }
}
