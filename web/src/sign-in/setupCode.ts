/** The code for the first account in an address such as `/#setup=CODE`, as the program prints it; empty without one. */
export function setupCodeIn(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, '')).get('setup') ?? '';
}

/** Why nobody was signed in elsewhere, in an address such as `/#sign-in=failed`; empty without a reason. */
export function refusalIn(hash: string): string {
  return new URLSearchParams(hash.replace(/^#/, '')).get('sign-in') ?? '';
}

/** The secret of a link such as `/welcome#TOKEN`. */
export function tokenIn(hash: string): string {
  return decodeURIComponent(hash.replace(/^#/, ''));
}
