// Does in a real browser what a recruiter does to an interview with a plan: chooses the flow, uploads documents, has the
// plan made, changes it and launches. Prints as JSON what it saw, keeps screenshots, and judges nothing: the test that
// starts it does.
//
//   node e2e/plan.mjs --url http://127.0.0.1:8080 --blueprint NAME --out DIR
//     --file PATH     upload this; given again, this one too. All of them together, by the file dialog
//     --drop PATH     drop this on the page, in the same way
//     --sample        use the sample project
//     --guide TEXT    a guide, where the blueprint takes one
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import { focusInDialog, go, launchBrowser, openWindow, takeShots, until, watch } from './driver.mjs';
import { backToLaunch, launchPage, signIn, toInterviews } from './sign-in.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    blueprint: { type: 'string' },
    out: { type: 'string' },
    file: { type: 'string', multiple: true, default: [] },
    drop: { type: 'string', multiple: true, default: [] },
    sample: { type: 'boolean' },
    guide: { type: 'string' },
  },
});
const { url, blueprint, out } = options;
if (!url || !blueprint || !out) throw new Error('--url, --blueprint and --out are needed');

const ADDED = 'What would you tell your successor on their first day?';

const seen = { pageErrors: [], overflows: [], screenshots: [], said: [] };
const shots = (page, name) => takeShots(page, name, { seen, out });
const browser = await launchBrowser();
await go(browser, { seen, out }, async () => {
  const context = await openWindow(browser);
  const page = await context.newPage();
  await listen(page);
  await signIn(context, url);
  await page.goto(launchPage(url));
  await chooseFlow(page);
  await giveDocuments(page);
  await makePlan(page);
  if (seen.kind === 'question') await changeQuestions(page);
  else await changeTopics(page);
  await lookAtAnother(page);
  await launch(page);
});

async function chooseFlow(page) {
  await page.getByText('At most').waitFor();
  seen.chosenFirst = await page.locator('input[name=blueprint]:checked').inputValue();
  seen.cardsFirst = await page.getByRole('heading', { name: 'Plan' }).count();
  await page.getByLabel('Candidate’s name').fill('Ilse Varga');
  await page.getByLabel('Target role').fill('Backend engineer');
  await page.locator(`input[name=blueprint][value="${blueprint}"]`).check();
  await page.getByRole('heading', { name: 'Plan' }).waitFor();
  await shots(page, '1-chosen');
}

/** Also one that nobody reads: it stays in the list with the reason, and goes when it is removed. */
async function giveDocuments(page) {
  const papers = page.locator('.paper');
  await page.locator('#documents').setInputFiles({ name: 'deck.pptx', mimeType: '', buffer: Buffer.from('x') });
  seen.refused = await papers.locator('.error').innerText();
  await page.getByRole('button', { name: 'Remove deck.pptx' }).click();
  if (options.sample) await page.getByRole('button', { name: 'Use the sample project' }).click();
  if (options.file.length > 0) await page.locator('#documents').setInputFiles(options.file);
  for (const path of options.drop) await dropFile(page, path);
  const given = options.file.length + options.drop.length + (options.sample ? 1 : 0);
  await page.waitForFunction(isAllRead, given);
  seen.documents = await papers.evaluateAll(readDocuments);
  // All are read: those whose text can be looked at are known.
  const first = papers.locator('summary').first();
  const hasText = (await first.count()) > 0;
  if (hasText) {
    await first.click();
    seen.firstText = await papers.getByRole('textbox').first().inputValue();
  }
  await shots(page, '2-documents');
  if (hasText) await first.click();
}

async function dropFile(page, path) {
  const file = { name: basename(path), bytes: readFileSync(path).toString('base64') };
  const dropped = await page.evaluateHandle(transferOf, file);
  await page.dispatchEvent('.drop', 'drop', { dataTransfer: dropped });
}

async function makePlan(page) {
  seen.withoutPlan = await page.locator('#questions, #topics').locator('p.soft').first().innerText();
  if (options.guide) await page.getByLabel('Your own guide').fill(options.guide);
  await page.getByRole('button', { name: 'Make the plan', exact: true }).click();
  await page.getByRole('button', { name: 'Make the plan anew' }).waitFor();
  await page.locator('.ask').first().waitFor();
  seen.kind = (await page.locator('#questions').count()) > 0 ? 'question' : 'topic';
  seen.made = await page.evaluate(readPlan);
  seen.by = await page.locator('#questions, #topics').locator('.status.ok, .notice').first().innerText();
  await shots(page, '3-plan');
}

async function changeQuestions(page) {
  await page.getByRole('button', { name: 'Drop question 2', exact: true }).click();
  seen.focusAfterDrop = await focused(page);
  await page.getByRole('button', { name: 'Undo' }).click();
  await until(
    () => page.evaluate(readPlan),
    (plan) => plan.length === seen.made.length,
  );
  seen.undone = true;
  await page.getByRole('button', { name: 'Drop question 2', exact: true }).click();
  await page.getByRole('button', { name: 'Move question 3 up', exact: true }).click();
  seen.focusAfterMove = await focused(page);
  await page.getByRole('button', { name: 'Add a question' }).click();
  seen.focusAfterAdd = await focused(page);
  await emptyIsTold(page);
  await page.keyboard.type(ADDED);
  await page.getByLabel('Priority of question 1', { exact: true }).selectOption('P2');
}

async function changeTopics(page) {
  await page.getByRole('button', { name: 'Drop topic 2', exact: true }).click();
  seen.focusAfterDrop = await focused(page);
  await page.getByRole('button', { name: 'Move topic 2 up', exact: true }).click();
  seen.focusAfterMove = await focused(page);
  await page.getByRole('button', { name: 'Add a topic' }).click();
  seen.focusAfterAdd = await focused(page);
  await emptyIsTold(page);
  await page.keyboard.type('The first day');
  await page.keyboard.press('Tab');
  await page.keyboard.type(ADDED);
}

/** Launched with an empty row: the summary has the focus, and its link leads to the row. */
async function emptyIsTold(page) {
  await launchButton(page).click();
  const summary = page.locator('#summary');
  await summary.waitFor();
  await page.waitForFunction(() => document.activeElement?.id === 'summary');
  seen.toMend = await summary.getByRole('listitem').allInnerTexts();
  await shots(page, '4-to-mend');
  await summary.getByRole('link').first().click();
  await page.waitForFunction(() => document.activeElement?.matches('input, textarea'));
  seen.focusFromSummary = await focused(page);
}

/** The list is looked at, and an interview where there is one: documents and plan are there as before. */
async function lookAtAnother(page) {
  seen.changed = await page.evaluate(readPlan);
  await shots(page, '5-changed');
  await toInterviews(page);
  await page.locator('tbody th a, .empty').first().waitFor();
  // The list is there, empty or not.
  const link = page.getByRole('rowheader').getByRole('link').first();
  if ((await link.count()) > 0) {
    await link.click();
    await page.getByRole('heading', { name: 'What was said' }).waitFor();
  }
  await backToLaunch(page);
  await page.getByRole('heading', { name: 'Plan' }).waitFor();
  const papers = page.locator('.paper');
  const read = async () => ({ documents: await papers.count(), plan: await page.evaluate(readPlan) });
  const changed = JSON.stringify(seen.changed);
  await until(read, ({ documents, plan }) => documents === seen.documents.length && JSON.stringify(plan) === changed);
  seen.kept = true;
}

async function launch(page) {
  await tryOld(page);
  const posted = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/api/interviews'),
  );
  await launchButton(page).click();
  seen.launched = (await posted).postDataJSON();
  seen.link = await page.getByLabel('Candidate’s link').inputValue();
  await page.getByRole('button', { name: 'Launch another' }).click();
  await page.getByText('At most').waitFor();
  seen.leftAfterwards = await page.locator('.paper, .ask').count();
}

/** The role changes after the plan was made: it says so, and asks before the changes are lost. */
async function tryOld(page) {
  await page.getByLabel('Target role').fill('Data engineer');
  const old = page.getByText('This plan is from before');
  await old.waitFor();
  seen.old = true;
  await page.getByRole('button', { name: 'Make the plan anew' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  seen.dialogFocus = await focusInDialog(page);
  await shots(page, '6-anew-asked');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  seen.keptByEscape = JSON.stringify(await page.evaluate(readPlan)) === JSON.stringify(seen.changed);
  await page.getByLabel('Target role').fill('Backend engineer');
  await old.waitFor({ state: 'hidden' });
  seen.oldNoMore = true;
}

function launchButton(page) {
  return page.getByRole('button', { name: /^Launch(ing…| now)$/ });
}

/** Watches the page, and what a screen reader is told of it. */
async function listen(page) {
  watch(page, seen);
  await page.exposeFunction('toldByScreenReader', (text) => void (seen.said.at(-1) !== text && seen.said.push(text)));
  await page.addInitScript(keepSaid);
}

/** How the element that has the focus is called. Pages move it with the next frame. */
function focused(page) {
  return page.evaluate(async () => {
    const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    await nextFrame();
    await nextFrame();
    const element = document.activeElement;
    return element?.getAttribute('aria-label') ?? element?.labels?.[0]?.textContent?.trim() ?? element?.textContent;
  });
}

// The following run in the page.

/** Passes on each change of what a screen reader is told of the plan. */
function keepSaid() {
  new MutationObserver((changes) => {
    for (const { target } of changes) {
      const region = target instanceof Element ? target : target.parentElement;
      if (region?.matches('p.sr[role=status]') && region.textContent) window.toldByScreenReader(region.textContent);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}

/** Whether all documents that were given are read, or refused. */
function isAllRead(given) {
  return document.querySelectorAll('.paper').length >= given && !document.querySelector('.paper .status.live');
}

function readDocuments(papers) {
  return papers.map((paper) => ({
    name: paper.querySelector('b')?.textContent,
    state: paper.querySelector('.status')?.textContent,
    cut: Boolean(paper.querySelector('.tag')),
    why: paper.querySelector('.error span')?.lastChild?.textContent,
  }));
}

/** The plan as it stands: the rows that were not dropped. */
function readPlan() {
  return [...document.querySelectorAll('.ask:not(.dropped)')].map((row) => ({
    label: row.querySelector('label')?.textContent?.trim(),
    text: row.querySelector('input, textarea')?.value,
    subGoals: row.querySelector('[id$="-sub_goals"]')?.value,
    priority: row.querySelector('select')?.value,
  }));
}

function transferOf({ name, bytes }) {
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.from(atob(bytes), (char) => char.charCodeAt(0))], name));
  return transfer;
}
