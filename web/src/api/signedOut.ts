let told: () => void = () => {};

/** Who is told when the server says that nobody is signed in any more. */
export function onSignedOut(listener: () => void) {
  told = listener;
}

/** Tells of an answer's status, whichever request it came to. */
export function tellStatus(status: number) {
  if (status === 401) told();
}
