import { expect, it } from 'vitest';
import { fieldOf, instantOf, NO_SENDING, sendingOf } from './sending';

it('a time is the same when it is read back, and none is none', () => {
  const at = instantOf('2026-12-03T14:05');
  expect(at).not.toBeNull();
  expect(fieldOf(at ?? 0)).toBe('2026-12-03T14:05');
  expect(instantOf('')).toBeNull();
  expect(instantOf('soon')).toBeNull();
});

it('sends nothing by mail unless somebody asks for it', () => {
  expect(sendingOf(NO_SENDING, 'Europe/Rome')).toEqual({ by_mail: false, zone: 'Europe/Rome', appointment: null });
  const sending = sendingOf({ byMail: true, time: '2026-12-03T14:05' }, '');
  expect(sending).toEqual({ by_mail: true, zone: '', appointment: instantOf('2026-12-03T14:05') });
});
