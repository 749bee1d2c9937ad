import { expect, it } from 'vitest';
import { KEY_ACTIONS, type KeyAction, keyActionOf, nameOf, type Pressed } from './keys';

const plain: Pressed = { key: '', shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, repeat: false };

/** C02: each button has a key, and no other key does anything; what cannot be undone needs Shift. */
it.each<[Partial<Pressed>, KeyAction | undefined]>([
  [{ key: 'r' }, 'repeat'],
  [{ key: 'R' }, 'repeat'],
  [{ key: 'R', shiftKey: true }, undefined],
  [{ key: 'w' }, 'rephrase'],
  [{ key: 't' }, 'more_time'],
  [{ key: 'S', shiftKey: true }, 'skip'],
  [{ key: 's' }, undefined],
  [{ key: 'S' }, undefined],
  [{ key: 'p' }, 'pause'],
  [{ key: 'm' }, 'mute'],
  [{ key: 'k' }, 'type'],
  [{ key: 'E', shiftKey: true }, 'end'],
  [{ key: 'e' }, undefined],
  [{ key: '?', shiftKey: true }, 'settings'],
  [{ key: '?' }, 'settings'],
  [{ key: 'r', ctrlKey: true }, undefined],
  [{ key: 'p', metaKey: true }, undefined],
  [{ key: 'm', altKey: true }, undefined],
  [{ key: 'S', shiftKey: true, repeat: true }, undefined],
  [{ key: 'Enter' }, undefined],
  [{ key: 'x' }, undefined],
])('%o does %s', (pressed, action) => expect(keyActionOf({ ...plain, ...pressed })).toBe(action));

it('every key has a name of its own', () => {
  expect(KEY_ACTIONS.map(nameOf)).toEqual(['R', 'W', 'T', '⇧ S', 'P', 'M', 'K', '⇧ E', '?']);
});
