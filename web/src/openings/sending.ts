/** How candidates are invited: what the form holds. */
export interface SendingDraft {
  byMail: boolean;
  /** As a browser's field for day and time has it, such as 2026-12-03T14:00; empty: no time is proposed. */
  time: string;
}

/** What is sent of it. */
export interface Sending {
  by_mail: boolean;
  zone: string;
  appointment: number | null;
}

export const NO_SENDING: SendingDraft = { byMail: false, time: '' };

/** The time zone of this browser, in which candidates read a time that is proposed here. */
export const zoneHere = () => Intl.DateTimeFormat().resolvedOptions().timeZone ?? '';

/** A time as a browser's field has it, in milliseconds since 1970. */
export function instantOf(time: string): number | null {
  const at = new Date(time).getTime();
  return time && Number.isFinite(at) ? at : null;
}

/** A time in milliseconds since 1970, as a browser's field for day and time has it. */
export function fieldOf(at: number): string {
  const here = new Date(at);
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [here.getFullYear(), two(here.getMonth() + 1), two(here.getDate())].join('-');
  return `${day}T${two(here.getHours())}:${two(here.getMinutes())}`;
}

export function sendingOf({ byMail, time }: SendingDraft, zone = zoneHere()): Sending {
  return { by_mail: byMail, zone, appointment: instantOf(time) };
}
