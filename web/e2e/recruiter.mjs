// Does in a real browser what a recruiter does: launches, looks at an interview in between, and stays when the server does
// not answer for a while. Prints as JSON what it saw, and judges nothing: the test that starts it does. DIR gets a screenshot
// if it fails.
//
//   node e2e/recruiter.mjs --url http://127.0.0.1:8080 --out DIR
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { parseArgs } from 'node:util';
import { go, launchBrowser, openWindow, until, watch } from './driver.mjs';
import { backToLaunch, launchPage, signIn, toInterviews } from './sign-in.mjs';

const { values: options } = parseArgs({ options: { url: { type: 'string' }, out: { type: 'string' } } });
if (!options.url || !options.out) throw new Error('--url and --out are needed');

/** How often the pages ask anew. */
const AGAIN_MS = 5000;
/** Longer than the pages wait before they try again to be told of changes. */
const LIVE_AGAIN_MS = 60_000;
/** So often the page's time is moved on; each time there is a second for what then comes over the line. */
const TRIES_MAX = 100;

const seen = { pageErrors: [] };
const line = await lineTo(options.url);
const { url } = line;
const browser = await launchBrowser();
await go(browser, { seen, out: options.out }, async () => {
  const context = await openWindow(browser);
  const page = await context.newPage();
  watch(page, seen);
  await signIn(context, url);
  await withoutScript(page);
  await page.clock.install();
  await page.goto(launchPage(url));
  await page.getByText('At most').waitFor();
  seen.late = await page.locator('.late').count();
  await leaveAndComeBack(page);
  await readPaper(page);
  await launchOnce(page);
  await outage(page);
});

/** Nothing of the pages comes but the page itself. */
async function withoutScript(page) {
  const scripts = '**/*.js';
  await page.route(scripts, (route) => route.abort());
  await page.addInitScript(keepFlash);
  await page.goto(launchPage(url));
  seen.flashed = await page.evaluate(() => window.flashed);
  const late = page.getByText('The page has not loaded');
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
  await until(
    () => link.inputValue(),
    (value) => value === shown,
  );
  seen.sameLink = true;
  await page.getByRole('button', { name: 'Launch another' }).click();
  await fill(page, 'Tomás Ortega', '');
  await lookAtOne(page);
  seen.halfForm = await until(() => page.getByLabel('Candidate’s name').inputValue(), Boolean);
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
  seen.resume = await until(() => resume.inputValue(), Boolean);
  await page.getByRole('button', { name: 'Take it back' }).click();
  seen.takenBack = await until(
    () => resume.inputValue(),
    (value) => !value,
  );
  await resume.fill(seen.resume);
  await page.reload();
  await page.getByText('At most').waitFor();
  const name = page.getByLabel('Candidate’s name');
  seen.reloaded = [await until(() => name.inputValue(), Boolean), await until(() => resume.inputValue(), Boolean)];
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

/**
 * The server does not answer for a while. The list stays, says that it is not live, and is live again by itself; a list and
 * the page of an interview go on by themselves, whether they were there before or not.
 */
async function outage(page) {
  const outdated = page.getByText('This may not be the newest');
  const notLive = page.getByText('Not live at the moment');
  const live = page.getByText('Live', { exact: true });
  const notListed = page.getByText('The interviews could not be loaded');
  const rows = page.getByRole('rowheader').getByRole('link');

  await line.cut();
  await toInterviews(page);
  await notListed.waitFor();
  await line.mend();
  await goesOn(page, LIVE_AGAIN_MS, notListed, rows.nth(1));
  await goesOn(page, LIVE_AGAIN_MS, notLive, live);
  seen.listedAfterwards = await rows.count();

  await line.cut();
  await notLive.waitFor();
  seen.listedMeanwhile = await rows.count();
  await line.mend();
  await goesOn(page, LIVE_AGAIN_MS, notLive, live);

  await line.cut();
  await rows.first().click();
  await page.getByRole('heading', { name: 'The interview could not be loaded' }).waitFor();
  await line.mend();
  await page.clock.fastForward(AGAIN_MS);
  await page.getByRole('heading', { name: 'What was said' }).waitFor();
  await line.cut();
  await page.clock.fastForward(AGAIN_MS);
  await outdated.waitFor();
  await line.mend();
  await goesOn(page, AGAIN_MS, outdated, page.getByRole('heading', { name: 'What was said' }));
  seen.wentOn = true;
}

/** Lets the page's time pass until what has to come is there, and it does not say any more that something is amiss. */
async function goesOn(page, ms, trouble, wanted) {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    await page.clock.fastForward(ms);
    const isOver = await wanted.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
    if (isOver) return trouble.waitFor({ state: 'hidden' });
  }
  throw new Error(`it does not go on by itself: ${await page.locator('main').innerText()}`);
}

/** A line to the server that can be cut, with all that is open over it, and mended. */
async function lineTo(server) {
  const { hostname, port } = new URL(server);
  const open = new Set();
  const listener = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      open.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
    }
  });
  const listen = async (at) => {
    listener.listen(at, '127.0.0.1');
    await once(listener, 'listening');
    return listener.address().port;
  };
  const at = await listen(0);
  return {
    url: `http://127.0.0.1:${at}`,
    cut: async () => {
      const closed = new Promise((resolve) => listener.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
    mend: () => listen(at),
  };
}

async function fill(page, name, role) {
  await page.getByLabel('Candidate’s name').fill(name);
  await page.getByLabel('Target role').fill(role);
}

function launchButton(page) {
  return page.getByRole('button', { name: /^Launch(ing…| now)$/ });
}

/** The page of an interview is opened from the list and left again, without anything that loads the form anew. */
async function lookAtOne(page) {
  await toInterviews(page);
  await page.getByRole('rowheader').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'What was said' }).waitFor();
  await page.getByRole('link', { name: 'All interviews' }).click();
  await backToLaunch(page);
}

/** Runs in the page: whether what stands in it for want of a script is seen from the start. */
function keepFlash() {
  addEventListener('DOMContentLoaded', () => {
    const late = document.querySelector('.late');
    window.flashed = late !== null && getComputedStyle(late).visibility === 'visible';
  });
}
