/** What a single key does in the room. */
export type KeyAction = 'repeat' | 'rephrase' | 'more_time' | 'skip' | 'pause' | 'mute' | 'type' | 'end' | 'settings';

/** The keys, as the browser names them in small letters; `shift`: held with it. */
const KEYS: Record<KeyAction, { key: string; shift: boolean }> = {
  repeat: { key: 'r', shift: false },
  rephrase: { key: 'w', shift: false },
  more_time: { key: 't', shift: false },
  skip: { key: 's', shift: true },
  pause: { key: 'p', shift: false },
  mute: { key: 'm', shift: false },
  type: { key: 'k', shift: false },
  end: { key: 'e', shift: true },
  settings: { key: '?', shift: true },
};

export const KEY_ACTIONS = Object.keys(KEYS) as KeyAction[];

/** How a key is written on a button. */
export function nameOf(action: KeyAction): string {
  const { key, shift } = KEYS[action];
  if (key === '?') return key;
  return shift ? `⇧ ${key.toUpperCase()}` : key.toUpperCase();
}

/** What the browser tells of a key. */
export type Pressed = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey' | 'repeat'>;

/** What a key does, if anything. With Caps Lock it is the same. One that is held down has acted already. */
export function keyActionOf({ key, shiftKey, ctrlKey, metaKey, altKey, repeat }: Pressed): KeyAction | undefined {
  if (ctrlKey || metaKey || altKey || repeat) return undefined;
  // On some keyboards it needs no Shift.
  if (key === '?') return 'settings';
  return KEY_ACTIONS.find((action) => KEYS[action].key === key.toLowerCase() && KEYS[action].shift === shiftKey);
}
