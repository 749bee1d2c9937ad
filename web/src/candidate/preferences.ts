import { useState } from 'react';

/**
 * How somebody likes the room; kept in their browser. The server is told of longer pauses, captions and typing alone,
 * when they start: no one who decides about them is.
 */
export interface Preferences {
  /** Whether keys do something by themselves, such as R for Repeat (WCAG 2.1.4). */
  singleKeys: boolean;
  captions: boolean;
  textSize: TextSize;
  /** Whether the time that has passed is shown. */
  time: boolean;
  /** Whether answers are typed from the start. */
  types: boolean;
  /** How long they may pause before the interviewer goes on. */
  pauses: Pauses;
}

export const PAUSES = ['usual', 'longer', 'much_longer'] as const;
export type Pauses = (typeof PAUSES)[number];

/** What is made different for somebody: as the server has it. */
export type Accommodations = Pick<Preferences, 'captions' | 'types' | 'pauses'>;

export const TEXT_SIZES = ['usual', 'large', 'largest'] as const;
export type TextSize = (typeof TEXT_SIZES)[number];

export type SetPreferences = (change: Partial<Preferences>) => void;

const USUAL: Preferences = {
  singleKeys: true,
  captions: true,
  textSize: 'usual',
  time: true,
  types: false,
  pauses: 'usual',
};
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
    pauses: PAUSES.find((pauses) => pauses === all.pauses) ?? USUAL.pauses,
  };
}

/** What whoever invited them has set, or they chose elsewhere, on top of what this browser knows. */
export function accommodated(preferences: Preferences, { captions, types, pauses }: Accommodations): Preferences {
  return {
    ...preferences,
    captions: preferences.captions || captions,
    types: preferences.types || types,
    pauses: preferences.pauses === 'usual' ? pauses : preferences.pauses,
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
