import { useState } from 'react';

/** How somebody likes the room; kept in their browser, and seen by nobody else. */
export interface Preferences {
  /** Whether keys do something by themselves, such as R for Repeat (WCAG 2.1.4). */
  singleKeys: boolean;
  captions: boolean;
  textSize: TextSize;
  /** Whether the time that has passed is shown. */
  time: boolean;
  /** Whether answers are typed from the start. */
  types: boolean;
}

export const TEXT_SIZES = ['usual', 'large', 'largest'] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

export type SetPreferences = (change: Partial<Preferences>) => void;

const USUAL: Preferences = { singleKeys: true, captions: true, textSize: 'usual', time: true, types: false };
const KEPT_AS = 'vivavoce.room';

/** What was kept, as far as it can be read; the usual for the rest. */
export function preferencesFrom(kept: string | null): Preferences {
  const all = objectOf(kept);
  const isSo = (key: 'singleKeys' | 'captions' | 'time' | 'types') => {
    const value = all[key];
    return typeof value === 'boolean' ? value : USUAL[key];
  };
  return {
    singleKeys: isSo('singleKeys'),
    captions: isSo('captions'),
    textSize: TEXT_SIZES.find((size) => size === all.textSize) ?? USUAL.textSize,
    time: isSo('time'),
    types: isSo('types'),
  };
}

function objectOf(kept: string | null): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(kept ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** The preferences of this browser, and how to change them. A browser that keeps nothing has them for this page. */
export function usePreferences(): [Preferences, SetPreferences] {
  const [preferences, set] = useState(() => preferencesFrom(read()));
  function change(changed: Partial<Preferences>) {
    const next = { ...preferences, ...changed };
    set(next);
    try {
      localStorage.setItem(KEPT_AS, JSON.stringify(next));
    } catch {}
  }
  return [preferences, change];
}

function read(): string | null {
  try {
    return localStorage.getItem(KEPT_AS);
  } catch {
    return null;
  }
}
