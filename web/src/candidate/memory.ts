import type { Question } from './room/question';

/**
 * What a browser remembers of an interview, by the public half of its link. A tab knows that it is in the room, and
 * the question that waits there, so that a reload goes on where it was; another tab knows nothing of that. The
 * browser knows that somebody has agreed here, so that only another one asks again.
 */
const ID_CHARACTERS = 32;

const inRoom = (token: string) => `vivavoce.in-room.${token.slice(0, ID_CHARACTERS)}`;
const agreed = (token: string) => `vivavoce.agreed.${token.slice(0, ID_CHARACTERS)}`;

/** What this tab knows of the room when it was in it, as JSON; undefined if it was not. */
export function roomRemembered(token: string): { question?: Question } | undefined {
  return attempt(() => JSON.parse(sessionStorage.getItem(inRoom(token)) ?? '')) ?? undefined;
}

/** This tab is in the room, where this question waits. */
export function rememberRoom(token: string, question?: Question): void {
  attempt(() => sessionStorage.setItem(inRoom(token), JSON.stringify({ question })));
}

/** This tab has left the room, and does not go back by itself. */
export function forgetRoom(token: string): void {
  attempt(() => sessionStorage.removeItem(inRoom(token)));
}

export function hasAgreed(token: string): boolean {
  return attempt(() => localStorage.getItem(agreed(token))) === '1';
}

export function rememberAgreed(token: string): void {
  attempt(() => localStorage.setItem(agreed(token), '1'));
}

const SPEAKER = 'vivavoce.speaker';

/** The speaker that was chosen in the sound check; undefined for the system's own. */
export function speakerRemembered(): string | undefined {
  return attempt(() => localStorage.getItem(SPEAKER)) ?? undefined;
}

export function rememberSpeaker(deviceId: string | undefined): void {
  attempt(() => (deviceId ? localStorage.setItem(SPEAKER, deviceId) : localStorage.removeItem(SPEAKER)));
}

/** A browser may be told to keep nothing: then it forgets. */
function attempt<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}
