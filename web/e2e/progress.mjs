// Opens the page of one interview as a recruiter does, while it runs or when it is over, and prints as JSON what stands
// there: questions, topics, summary, and downloads that it really fetches. It judges nothing: the test that starts it does.
//
//   node e2e/progress.mjs --url http://127.0.0.1:8080/interviews/ID --out DIR
//     --summary-limit SECONDS   how long to wait for the summary (default 70)
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { signIn } from './sign-in.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    out: { type: 'string' },
    'summary-limit': { type: 'string', default: '70' },
  },
});
const { url, out } = options;
if (!url || !out) throw new Error('--url and --out are needed');
mkdirSync(out, { recursive: true });

const seen = { pageErrors: [], overflows: [], screenshots: [] };
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', ...(process.env.CHROMIUM_FLAGS?.split(' ') ?? [])],
});
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  watch(page);
  await signIn(context, new URL(url).origin);
  await page.goto(url);
  await page.getByRole('heading', { name: 'What was said' }).waitFor();
  await summary(page);
  Object.assign(seen, await page.evaluate(readProgress));
  await shots(page, 'progress');
  // What is folded may be too wide, too.
  await page.evaluate(unfold);
  await shots(page, 'progress-unfolded');
  await downloads(page);
} catch (error) {
  seen.failed = String(error);
  const page = browser.contexts()[0]?.pages()[0];
  await page?.screenshot({ path: join(out, 'failed.png') }).catch(() => undefined);
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen, null, 1));
process.exitCode = seen.failed ? 1 : 0;

/** Waits until the summary is there, or why it is not. */
async function summary(page) {
  const card = page.locator('.summary');
  if ((await card.count()) === 0) return;
  const written = page.locator('.summary[aria-busy=false]');
  await written.waitFor({ timeout: Number(options['summary-limit']) * 1000 });
  seen.summary = await page.evaluate(readSummary);
}

/** Each file is really downloaded. */
async function downloads(page) {
  seen.downloads = [];
  for (const link of await page.locator('.downloads a').all()) {
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    const path = join(out, download.suggestedFilename());
    await download.saveAs(path);
    seen.downloads.push({
      name: await link.innerText(),
      what: await link.locator('xpath=following-sibling::span').innerText(),
      bytes: statSync(path).size,
    });
  }
}

/** Light, dark, and 320 px wide; notes what does not fit. */
async function shots(page, name) {
  for (const [variant, colorScheme, width] of [
    ['light', 'light', 1280],
    ['dark', 'dark', 1280],
    ['320', 'light', 320],
  ]) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: width === 320 ? 700 : 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) seen.overflows.push(`${name}-${variant}: ${overflow} px`);
    await page.screenshot({ path: join(out, `${name}-${variant}.png`), fullPage: true });
    seen.screenshots.push(`${name}-${variant}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'no-preference' });
}

function watch(page) {
  page.on('pageerror', (error) => seen.pageErrors.push(error.message));
  page.on('console', (message) => {
    if (process.env.VERBOSE) console.error('page:', message.text());
    // A refused policy shows up nowhere else.
    if (message.text().includes('Content Security Policy')) seen.pageErrors.push(message.text());
  });
}

// The following run in the page.

function readProgress() {
  const text = (element, selector) => element.querySelector(selector)?.textContent ?? undefined;
  const all = (element, selector) => [...element.querySelectorAll(selector)];
  const texts = (element, selector) => all(element, selector).map((each) => each.textContent);
  return {
    heading: text(document, 'h1'),
    counts: text(document, '.backlog > p'),
    questions: all(document, '.question').map((question) => ({
      text: text(question, 'h3'),
      status: question.getAttribute('data-status'),
      word: text(question, '.status'),
      priority: text(question, '.tag'),
      origin: text(question, '.small'),
      answer: text(question, 'details .voice'),
      facts: texts(question, 'details li'),
      isNow: question.hasAttribute('aria-current'),
      isBelow: question.closest('.backlog ol ol') !== null,
    })),
    budget: text(document, '.budget > p'),
    phase: document.querySelector('[data-phase]')?.getAttribute('data-phase') ?? undefined,
    topics: all(document, '.topic').map((topic) => ({
      key: topic.getAttribute('data-topic'),
      title: text(topic, 'h3'),
      figures: texts(topic, '.figures > p > span:last-child'),
      covered: all(topic, '.goals > .covered').length,
      subGoals: texts(topic, 'details li > span:last-child'),
      insight: text(topic, 'q'),
    })),
    agreed: all(document, '.agreed > dt').map((term) => [term.textContent, term.nextElementSibling?.innerText]),
    turns: document.querySelectorAll('.turn').length,
  };
}

function readSummary() {
  const card = document.querySelector('.summary');
  return {
    by: card?.querySelector('.stack > p')?.textContent,
    trouble: card?.querySelector('.notice p')?.textContent,
    headings: [...(card?.querySelectorAll('h3') ?? [])].map((heading) => heading.textContent),
    points: [...(card?.querySelectorAll('li') ?? [])].map((point) => point.textContent),
  };
}

function unfold() {
  for (const folded of document.querySelectorAll('details')) folded.open = true;
}
