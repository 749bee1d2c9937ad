import { locale } from '../texts';

/** Day and time, to the minute. */
export function whenOf(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(ms);
}

/** The day. */
export function dayOf(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: 'medium' }).format(ms);
}

/** The time of a day, to the minute. */
export function timeOf(ms: number): string {
  return new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }).format(ms);
}

/** A time within an interview or a length, as minutes and seconds. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (number: number) => String(number).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
