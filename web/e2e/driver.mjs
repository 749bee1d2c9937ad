// What the drivers share: the browser, how long they wait, screenshots, and what is told when something does not come.
// A driver waits for the state that it then reads: nothing is read once while the page may still load or change.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';

/** How long to wait for what has to come: far longer than a busy machine needs. */
const WAIT_MS = 120_000;
/** How long a whole way may take. The test that starts a driver stops it after 300 s, and nobody would know where it stood. */
const WAY_MS = 285_000;
/** How often `until` reads. */
const READ_EVERY_MS = 50;

/** Starts a browser. */
export function launchBrowser(args = []) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', ...args, ...(process.env.CHROMIUM_FLAGS?.split(' ') ?? [])],
  });
}

/** A window with cookies of its own. */
export async function openWindow(browser, options = {}) {
  // What moves is drawn without a graphics card: it would take a core from those who listen and speak.
  const still = { reducedMotion: 'reduce', viewport: { width: 1280, height: 900 }, locale: 'en-GB' };
  const context = await browser.newContext({ ...still, ...options });
  context.setDefaultTimeout(WAIT_MS);
  return context;
}

/**
 * Goes a way and prints as JSON what was seen. What goes wrong is in `seen.failed`: stderr then says what each page shows,
 * and `out` has a screenshot of it.
 */
export async function go(browser, { seen, out }, way) {
  mkdirSync(out, { recursive: true });
  const tooLong = sleep(WAY_MS, undefined, { ref: false }).then(() => {
    throw new Error(`not done within ${WAY_MS / 1000} s`);
  });
  try {
    await Promise.race([way(), tooLong]);
  } catch (error) {
    seen.failed = String(error);
    console.error(error);
    await tellWhatIsShown(browser, out);
  }
  await browser.close();
  console.log(JSON.stringify(seen, null, 1));
  // A way that took too long is still under way.
  process.exit(seen.failed ? 1 : 0);
}

/** What is read once it is so. */
export async function until(read, isSo) {
  const end = Date.now() + WAIT_MS;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (Date.now() > end) throw new Error(`it stays ${JSON.stringify(value)}`);
    await sleep(READ_EVERY_MS);
  }
}

/** Waits until an element has the focus: what is typed before goes elsewhere. */
export async function hasFocus(locator) {
  await until(() => locator.evaluate((element) => element === document.activeElement), Boolean);
}

/** What has the focus in the dialog that has just been opened, by its text. */
export async function focusInDialog(page) {
  const focused = await page.waitForFunction(() => {
    const element = document.activeElement;
    return element?.parentElement?.closest('dialog') ? element.textContent : undefined;
  });
  return focused.jsonValue();
}

/** Keeps what a page throws, and what its policy refuses. */
export function watch(page, seen) {
  page.on('pageerror', (error) => seen.pageErrors.push(error.message));
  page.on('console', (message) => {
    if (process.env.VERBOSE) console.error('page:', message.text());
    // A refused policy shows up nowhere else.
    if (message.text().includes('Content Security Policy')) seen.pageErrors.push(message.text());
  });
}

/** Screenshots in light, dark, and 320 px wide, without what is in `mask`; notes what does not fit. */
export async function takeShots(page, name, { seen, out, mask = [] }) {
  for (const [variant, colorScheme, width] of [
    ['light', 'light', 1280],
    ['dark', 'dark', 1280],
    ['320', 'light', 320],
  ]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: width === 320 ? 700 : 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    if (overflow > 0) seen.overflows.push(`${name}-${variant}: ${overflow} px`);
    await page.screenshot({ path: join(out, `${name}-${variant}.png`), fullPage: true, mask });
    seen.screenshots.push(`${name}-${variant}`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

async function tellWhatIsShown(browser, out) {
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [n, page] of pages.entries()) {
    // A page that hangs answers nothing.
    const shown = await Promise.race([page.evaluate(readShown), sleep(5000, 'no answer')]).catch(String);
    console.error(`page ${n + 1} at ${page.url()} shows`, JSON.stringify(shown, null, 1));
    const path = join(out, n === 0 ? 'failed.png' : `failed-${n + 1}.png`);
    await page.screenshot({ path, fullPage: true, timeout: 10_000 }).catch(() => undefined);
  }
}

/** Runs in the page. */
function readShown() {
  return {
    title: document.title,
    situation: document.querySelector('[data-situation]')?.dataset.situation,
    isLoading: document.querySelector('[aria-busy=true]') !== null,
    focus: document.activeElement?.outerHTML.slice(0, 200),
    text: document.body.innerText.slice(0, 4000).split('\n').filter(Boolean),
  };
}
