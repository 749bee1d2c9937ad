// Does in a real browser what a recruiter does: launches, looks at an interview in between, and stays when the server does
// not answer for a while. Prints as JSON what it saw, and judges nothing: the test that starts it does.
//
//   node e2e/recruiter.mjs --url http://127.0.0.1:8080
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';

const { values: options } = parseArgs({ options: { url: { type: 'string' } } });
const { url } = options;
if (!url) throw new Error('--url is needed');

/** How often the pages ask anew. */
const AGAIN_MS = 5000;

const seen = { pageErrors: [] };
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', ...(process.env.CHROMIUM_FLAGS?.split(' ') ?? [])],
});
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  page.on('pageerror', (error) => seen.pageErrors.push(error.message));
  await withoutScript(page);
  await page.clock.install();
  await page.goto(url);
  await page.getByText('At most').waitFor();
  seen.late = await page.locator('.late').count();
  await leaveAndComeBack(page);
  await readPaper(page);
  await launchOnce(page);
  await outage(page);
} catch (error) {
  seen.failed = String(error);
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen, null, 1));
process.exitCode = seen.failed ? 1 : 0;

/** Nothing of the pages comes but the page itself. */
async function withoutScript(page) {
  const scripts = '**/*.js';
  await page.route(scripts, (route) => route.abort());
  await page.goto(url);
  const late = page.getByText('The page has not loaded');
  seen.flashed = await late.isVisible();
  await late.waitFor();
  seen.notLoaded = await late.innerText();
  await page.unroute(scripts);
}

/** An interview of the list is looked at with a link shown, and with half a form. */
async function leaveAndComeBack(page) {
  await fill(page, 'Ilse Varga', 'Backend engineer');
  await launchButton(page).click();
  const link = page.getByLabel('Candidate’s link');
  const shown = await link.inputValue();
  await lookAtOne(page);
  seen.sameLink = (await link.inputValue()) === shown;
  await page.getByRole('button', { name: 'Launch another' }).click();
  await fill(page, 'Tomás Ortega', '');
  await lookAtOne(page);
  seen.halfForm = await page.getByLabel('Candidate’s name').inputValue();
}

/** A résumé is read from a file, one of another kind is refused, and all of it outlives a reload. */
async function readPaper(page) {
  const file = page.locator('#resume-file');
  const resume = page.locator('#resume');
  await file.setInputFiles({ name: 'cv.xls', mimeType: 'application/x', buffer: Buffer.from('x') });
  seen.refusedFile = await page.locator('#resume-file-e').innerText();
  const text = '# Tomás\n\nTen years of data.';
  await file.setInputFiles({ name: 'cv.md', mimeType: 'text/markdown', buffer: Buffer.from(text) });
  await page.getByText('This is the text of cv.md').waitFor();
  seen.resume = await resume.inputValue();
  await page.getByRole('button', { name: 'Take it back' }).click();
  seen.takenBack = await resume.inputValue();
  await resume.fill(seen.resume);
  await page.reload();
  await page.getByText('At most').waitFor();
  seen.reloaded = [await page.getByLabel('Candidate’s name').inputValue(), await resume.inputValue()];
}

/** Who presses twice, and once more after a look at something else, while the server takes its time. */
async function launchOnce(page) {
  let answer;
  const answered = new Promise((resolve) => {
    answer = resolve;
  });
  seen.posted = 0;
  await page.route('**/api/interviews', async (route) => {
    if (route.request().method() === 'POST') {
      seen.posted += 1;
      await answered;
    }
    await route.continue();
  });
  await fill(page, 'Tomás Ortega', 'Data engineer');
  await launchButton(page).dblclick();
  await lookAtOne(page);
  await launchButton(page).click();
  answer();
  await page.getByRole('heading', { name: 'The interview with Tomás Ortega is ready' }).waitFor();
  await page.unroute('**/api/interviews');
}

/** The server does not answer for a while: the list, and the page of an interview, go on by themselves. */
async function outage(page) {
  const api = /\/api\/interviews/;
  const begins = () => page.route(api, (route) => route.abort());
  const ends = () => page.unroute(api);
  const again = () => page.clock.fastForward(AGAIN_MS);
  const outdated = page.getByText('This may not be the newest');
  const list = page.locator('.interviews');
  const trouble = list.getByText('The server does not answer');

  await begins();
  await again();
  await trouble.waitFor();
  seen.listedMeanwhile = await list.getByRole('link').count();
  await ends();
  await again();
  await trouble.waitFor({ state: 'hidden' });

  await begins();
  await list.getByRole('link').first().click();
  await page.getByRole('heading', { name: 'The interview could not be loaded' }).waitFor();
  await ends();
  await again();
  await page.getByRole('heading', { name: 'What was said' }).waitFor();
  await begins();
  await again();
  await outdated.waitFor();
  await ends();
  await again();
  await outdated.waitFor({ state: 'hidden' });
  seen.wentOn = true;
}

async function fill(page, name, role) {
  await page.getByLabel('Candidate’s name').fill(name);
  await page.getByLabel('Target role').fill(role);
}

function launchButton(page) {
  return page.getByRole('button', { name: /^Launch(ing…| now)$/ });
}

async function lookAtOne(page) {
  await page.locator('.interviews').getByRole('link').first().click();
  await page.getByRole('link', { name: 'All interviews' }).click();
  await page.getByRole('heading', { level: 1, name: 'New interview' }).waitFor();
}
