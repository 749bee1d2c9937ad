// Signs a browser in as the first admin; makes the account where there is none yet.
const ACCOUNT = { name: 'Recruiter', email: 'recruiter@example.org', password: 'a fine long password' };

/** Signs in without the pages; the browser keeps the cookie. */
export async function signIn(context, url) {
  const { name, email, password } = ACCOUNT;
  const made = await context.request.post(`${url}/api/setup`, { data: { name, email, password } });
  if (made.ok()) return;
  const signedIn = await context.request.post(`${url}/api/session`, { data: { email, password } });
  if (!signedIn.ok()) throw new Error(`sign-in failed: ${signedIn.status()} ${await signedIn.text()}`);
}

/** Where a single interview is launched. */
export const launchPage = (url) => `${url}/launch`;
