// Signs a browser in as the first admin; makes the account where there is none yet.
export const ACCOUNT = { name: 'Recruiter', email: 'recruiter@example.org', password: 'a fine long password' };

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

/** From any recruiter's page to where a single interview is launched, by links as a person goes: nothing is loaded anew. */
export async function backToLaunch(page) {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Openings' }).click();
  await page.getByRole('link', { name: 'One-off interview' }).click();
  await page.getByRole('heading', { level: 1, name: 'One-off interview' }).waitFor();
}

/** From any recruiter's page to the list of interviews, in the same way. */
export async function toInterviews(page) {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Interviews' }).click();
  await page.getByRole('heading', { level: 1, name: 'Interviews' }).waitFor();
}
