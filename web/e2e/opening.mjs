// Goes a recruiter's whole way in a real browser: first start → new opening from a template → two candidates by a pasted list
// → links → the list, in which an interview comes to its end meanwhile → report → decision → export → deletion → sign out.
// Every page is checked with axe-core, narrow and wide. Prints as JSON what it saw, keeps screenshots, and judges nothing: the
// test that starts it does, and lets the interview of the first candidate come to its end.
//
//   node e2e/opening.mjs --url http://127.0.0.1:8080 --out DIR --listed FILE
//     --listed FILE   made once both candidates are in the list: the first one's interview may come to its end
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import axe from 'axe-core';
import { focusInDialog, go, hasFocus, launchBrowser, openWindow, until, watch } from './driver.mjs';
import { ACCOUNT } from './sign-in.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    out: { type: 'string' },
    listed: { type: 'string' },
  },
});
const { url, out, listed } = options;
if (!url || !out || !listed) throw new Error('--url, --out and --listed are needed');

const WIDTHS = [1280, 360];
const TITLE = 'Backend, payments';
const QUESTIONS = [
  'Which outage taught you most?',
  'How do you decide what to test?',
  'What would you change about our product?',
];
const CRITERION = 'Finds causes';
const [FIRST, SECOND] = ['Ada Lovelace', 'Grace Hopper'];
const REASON = 'Tells causes apart from symptoms.';

const seen = { pageErrors: [], overflows: [], findings: [], pages: [] };
const browser = await launchBrowser();
await go(browser, { seen, out }, async () => {
  const context = await openWindow(browser, {
    viewport: { width: WIDTHS[0], height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  watch(page, seen);
  await setUp(page);
  await makeOpening(page);
  await invite(page);
  await readLinks(page);
  await list(page);
  await report(page);
  await decide(page);
  await exportIt(page);
  await remove(page);
  await signOut(page);
});

/** The first start: what is asked, what is refused, and where it leads. */
async function setUp(page) {
  await page.goto(`${url}/interviews`);
  const make = page.getByRole('button', { name: 'Make the account' });
  await make.click();
  const errors = page.getByRole('alert').getByRole('listitem');
  await errors.first().waitFor();
  seen.setUpErrors = await errors.allInnerTexts();
  await look(page, '1-set-up');
  await page.getByLabel('Your name').fill(ACCOUNT.name);
  await page.getByLabel('E-mail').fill(ACCOUNT.email);
  await page.getByLabel('New password').fill(ACCOUNT.password);
  await make.click();
  await page.getByRole('heading', { level: 1, name: 'Interviews' }).waitFor();
  seen.setUpLeadsTo = new URL(page.url()).pathname;
  await page.getByRole('heading', { name: 'No interviews yet' }).waitFor();
  await look(page, '2-no-interviews');
  await goTo(page, 'Home');
  seen.hello = await page.getByRole('heading', { level: 1, name: /^Hello/ }).innerText();
  await look(page, '2-home');
}

/** From a template, with questions of their own and one criterion more than the template has. */
async function makeOpening(page) {
  await goTo(page, 'Openings');
  await page.getByRole('heading', { name: 'No openings yet' }).waitFor();
  await look(page, '3-no-openings');
  await page.getByRole('link', { name: 'New opening' }).first().click();
  const template = page.getByRole('button', { name: 'Begin with this Screening' });
  await template.waitFor();
  await look(page, '3-templates');
  await template.click();
  await page.getByLabel('Title', { exact: true }).fill(TITLE);
  await page.getByLabel('Target role').fill('Backend engineer');
  for (const [n, text] of QUESTIONS.entries()) {
    await page.getByRole('button', { name: 'Add a question' }).click();
    // The new row has the focus: who types goes on.
    const field = page.getByLabel(`Question ${n + 1}`, { exact: true });
    await hasFocus(field);
    await page.keyboard.type(text);
    seen.questionsTyped = [...(seen.questionsTyped ?? []), await field.inputValue()];
  }
  await page.getByRole('button', { name: 'Add a criterion' }).click();
  const criteria = page.getByLabel(/^Criterion \d\s*$/);
  await hasFocus(criteria.last());
  await page.keyboard.type(CRITERION);
  seen.criteria = await criteria.evaluateAll((fields) => fields.map((field) => field.value));
  await page.locator('.plan .bar').waitFor();
  seen.estimate = await page.locator('aside .big').innerText();
  await look(page, '3-editor');
  await page.getByRole('button', { name: 'Make the opening' }).click();
  await page.getByRole('heading', { level: 1, name: TITLE }).waitFor();
  await page.getByRole('heading', { name: 'No candidates yet' }).waitFor();
  await look(page, '3-opening');
}

/** By a pasted list, of which one line has to be mended first. */
async function invite(page) {
  await page.getByRole('link', { name: 'Add candidates' }).first().click();
  await page.getByText('As a list or CSV').click();
  await page.getByLabel('List', { exact: true }).fill(`${FIRST}, ada@example.org\n${SECOND}, grace@hopper@example.org`);
  await page.getByRole('button', { name: 'Read the list' }).click();
  await page.getByRole('heading', { name: '2 candidates were found' }).waitFor();
  seen.leftOut = await page.locator('.people .error').allInnerTexts();
  await look(page, '4-list-read');
  await page.getByLabel('E-mail in line 2').fill('grace@example.org');
  await page.getByRole('button', { name: 'Add 2 and make their links' }).click();
  await page.getByRole('heading', { name: '2 links to send' }).waitFor();
}

/** What is shown is what is copied, one by one and all at once. */
async function readLinks(page) {
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  const copies = async (button) => {
    await button.click();
    await button.locator('xpath=..').getByText('Copied').waitFor();
    return copied();
  };
  const card = page.locator('.links');
  seen.links = [];
  for (const name of [FIRST, SECOND]) {
    const shown = await page.getByLabel(name, { exact: true }).inputValue();
    const isCopied =
      (await copies(card.getByRole('button', { name: new RegExp(`^Copy link\\s*, ${name}$`) }))) === shown;
    seen.links.push({ name, shown, isCopied });
  }
  seen.csvOfLinks = await copies(card.getByRole('button', { name: 'Copy all as CSV' }));
  await look(page, '4-links', card.locator('input'));
  await card.getByRole('button', { name: 'Done' }).click();
  await card.waitFor({ state: 'hidden' });
}

/** Both stand in the list, and the interview of the first is over there without a reload. */
async function list(page) {
  const row = (name) => page.getByRole('row').filter({ hasText: name });
  for (const name of [FIRST, SECOND]) await row(name).getByText('Invited').waitFor();
  writeFileSync(listed, '');
  await row(FIRST).getByRole('link', { name: 'Open report' }).waitFor();
  await look(page, '5-candidates');
  await goTo(page, 'Interviews');
  // What has changed last is first.
  seen.listed = await until(
    () => readList(page),
    (rows) => rows.length === 2 && rows[0].name === FIRST,
  );
  await look(page, '5-interviews');
  await goTo(page, 'Home');
  await row(FIRST).getByText('To decide').waitFor();
  await look(page, '5-home');
  await row(FIRST).getByRole('link', { name: 'Open report' }).click();
}

async function readList(page) {
  return page.getByRole('row').evaluateAll((rows) =>
    rows.slice(1).map((row) => ({
      name: row.querySelector('th a')?.textContent,
      email: row.querySelector('.mail')?.textContent,
      state: row.querySelector('.stst > .status')?.textContent,
      decision: row.querySelector('[data-label="Your decision"]')?.textContent,
    })),
  );
}

async function report(page) {
  await page.getByRole('heading', { level: 1, name: FIRST }).waitFor();
  await page.getByRole('heading', { name: 'About this report' }).waitFor();
  seen.report = {
    parts: await page.getByRole('heading', { level: 2 }).allInnerTexts(),
    // It stands on the page from the first.
    said: await page.locator('.turn .voice').allInnerTexts(),
  };
  await look(page, '6-report');
}

/** Not without a choice, and a rejection not without a reason. */
async function decide(page) {
  const save = page.getByRole('button', { name: 'Save decision' });
  const told = page.locator('#decision-e');
  await save.click();
  seen.undecided = [await told.innerText()];
  await page.getByText('Not now', { exact: true }).click();
  await save.click();
  seen.undecided.push(await told.filter({ hasNotText: seen.undecided[0] }).innerText());
  await look(page, '7-no-reason');
  await page.getByText('Move on', { exact: true }).click();
  await page.getByLabel('Why').fill(REASON);
  await save.click();
  const line = page.getByRole('status').filter({ hasText: 'Move on' });
  await line.waitFor();
  seen.decided = await line.innerText();
  await page.reload();
  await line.waitFor();
  seen.reason = await until(() => page.getByLabel('Why').inputValue(), Boolean);
  await look(page, '7-decided');
}

async function exportIt(page) {
  const open = page.getByRole('button', { name: 'Export' });
  await open.click();
  const csv = page.getByRole('menuitem', { name: 'CSV, for tables' });
  await csv.waitFor();
  await look(page, '8-export');
  // Another width may have closed it.
  await page.keyboard.press('Escape');
  await csv.waitFor({ state: 'hidden' });
  await open.click();
  await csv.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), csv.click()]);
  const path = join(out, download.suggestedFilename());
  await download.saveAs(path);
  seen.exported = { name: download.suggestedFilename(), text: readFileSync(path, 'utf8') };
}

/** Asked first, with the safe answer in the focus; then a receipt, and the list without it. */
async function remove(page) {
  await page.getByRole('button', { name: `More for ${FIRST}` }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  seen.deleteFocus = await focusInDialog(page);
  await look(page, '9-delete-asked');
  await dialog.getByRole('button', { name: 'Delete it' }).click();
  await page.getByRole('heading', { name: 'The interview is deleted' }).waitFor();
  seen.receipt = (await dialog.locator('dl').innerText()).split('\n').filter(Boolean);
  await look(page, '9-receipt');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('heading', { level: 1, name: 'Interviews' }).waitFor();
  const rows = page.getByRole('row');
  await rows.filter({ hasText: SECOND }).waitFor();
  await rows.filter({ hasText: FIRST }).waitFor({ state: 'detached' });
  seen.listedAfterwards = (await readList(page)).map(({ name }) => name);
}

/** Nothing is to be had any more, by the way back either. */
async function signOut(page) {
  await page.getByRole('button', { name: ACCOUNT.name }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await look(page, '10-sign-in');
  seen.refused = (await page.context().request.get(`${url}/api/interviews`)).status();
  await page.goto(`${url}/interviews`);
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  seen.shownSignedOut = await page.getByText(SECOND).count();
}

async function goTo(page, place) {
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: place });
  await link.click();
  await until(() => link.getAttribute('aria-current'), Boolean);
  await until(
    () => page.locator('[aria-busy=true]').count(),
    (count) => count === 0,
  );
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** At each width: what axe-core finds, what does not fit, and a screenshot, without what nobody should see. */
async function look(page, name, secret) {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: width < 600 ? 740 : 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) seen.overflows.push(`${name}-${width}: ${overflow} px`);
    await page.evaluate(axe.source);
    for (const finding of await page.evaluate(findings)) seen.findings.push(`${name}-${width}: ${finding}`);
    await page.screenshot({ path: join(out, `${name}-${width}.png`), fullPage: true, mask: secret ? [secret] : [] });
  }
  seen.pages.push(name);
  await page.setViewportSize({ width: WIDTHS[0], height: 900 });
}

// The following run in the page.

/** What axe-core finds by the rules of WCAG 2.2 AA and by good practice: the rule, and where. */
async function findings() {
  const { violations } = await window.axe.run(document, {
    resultTypes: ['violations'],
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target}: ${failureSummary}`),
  );
}
