// Opens the page of one interview as a recruiter does, while it runs or when it is over, and prints as JSON what stands
// there: questions, topics, summary, and downloads that it really fetches. It judges nothing: the test that starts it does.
//
//   node e2e/progress.mjs --url http://127.0.0.1:8080/interviews/ID --out DIR
//     --summary   it is over, or about to be: wait for its summary, and for the file of it
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { go, launchBrowser, openWindow, takeShots, watch } from './driver.mjs';
import { signIn } from './sign-in.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    out: { type: 'string' },
    summary: { type: 'boolean' },
  },
});
const { url, out } = options;
if (!url || !out) throw new Error('--url and --out are needed');

const seen = { pageErrors: [], overflows: [], screenshots: [] };
const shots = (page, name) => takeShots(page, name, { seen, out });
const browser = await launchBrowser();
await go(browser, { seen, out }, async () => {
  const context = await openWindow(browser);
  const page = await context.newPage();
  watch(page, seen);
  await signIn(context, new URL(url).origin);
  await page.goto(url);
  await page.getByRole('heading', { name: 'What was said' }).waitFor();
  if (options.summary) await summary(page);
  Object.assign(seen, await page.evaluate(readProgress));
  await shots(page, 'progress');
  // What is folded may be too wide, too.
  await page.evaluate(unfold);
  await shots(page, 'progress-unfolded');
  await downloads(page);
});

/** Waits until the summary is there, or why it is not, and until the page lists its file. */
async function summary(page) {
  await page.locator('.summary[aria-busy=false]').waitFor();
  await page.locator('.downloads a').filter({ hasText: 'interview_summary.txt' }).waitFor();
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
