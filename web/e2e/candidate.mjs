// Goes the whole way in a real browser: launch form → candidate link → consent and microphone → room → after.
// Prints as JSON what it saw, keeps screenshots, and judges nothing: the test that starts it does.
//
//   node e2e/candidate.mjs --url http://127.0.0.1:8080 --wav speech.wav --out DIR
//     --blueprint NAME      which one to launch (default: the first)
//     --link URL            open this link in place of launching
//     --room-limit SECONDS  how long to stay in the room (default 60)
//     --until after|listening|in-line   when the way is long enough (default after)
//     --answers JSON        [[start, end], …] in seconds of the WAV: the microphone gives them in turn, each when it is
//                           asked. Without it the browser's fake microphone plays the WAV from its start
//     --type TEXT           type this in place of the first spoken answer; given again, of the next one. With
//                           --answers [] nothing is spoken
//     --form JSON           fill in the form for contact data, {"name": "…", "email": "…"}, as soon as it is there, and
//                           send it; null presses "Rather not"
//     --end-after N         press End once the candidate has N captions
//     --buttons TEXT        when the first question waits, press every button and key once, type TEXT as the answer, skip
//                           the next question, reload and go on, then end
//     --rejoin              then let another tab take the room, and take it back
//     --muted-first         say the first answer muted, until the interviewer has noticed, before it is said
//     --record-on           what records the microphone before it is heard cannot be stopped
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { launchPage, signIn } from './sign-in.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    wav: { type: 'string' },
    out: { type: 'string' },
    blueprint: { type: 'string' },
    link: { type: 'string' },
    'room-limit': { type: 'string', default: '60' },
    until: { type: 'string', default: 'after' },
    answers: { type: 'string' },
    type: { type: 'string', multiple: true, default: [] },
    form: { type: 'string' },
    'end-after': { type: 'string' },
    buttons: { type: 'string' },
    rejoin: { type: 'boolean' },
    'muted-first': { type: 'boolean' },
    'record-on': { type: 'boolean' },
  },
});
const { url, wav, out } = options;
if (!url || !wav || !out) throw new Error('--url, --wav and --out are needed');
mkdirSync(out, { recursive: true });

const seen = { pageErrors: [], overflows: [], screenshots: [], situations: [], stages: [], answered: 0 };
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: [
    '--no-sandbox',
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-audio-capture=${wav}%noloop`,
    '--autoplay-policy=no-user-gesture-required',
    ...(process.env.CHROMIUM_FLAGS?.split(' ') ?? []),
  ],
});
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  // Keeps the connections, whose statistics are the only proof that sound arrived.
  await context.addInitScript(() => {
    const Native = window.RTCPeerConnection;
    window.connections = [];
    window.RTCPeerConnection = class extends Native {
      constructor(...args) {
        super(...args);
        window.connections.push(this);
      }
    };
  });
  if (options['record-on'])
    await context.addInitScript(() => {
      window.MediaRecorder.prototype.stop = () => undefined;
    });
  if (options.answers) await context.addInitScript(answeringMicrophone, readFileSync(wav).toString('base64'));
  await context.addInitScript(keepMicrophones);
  await context.addInitScript(keepSaid);
  const page = await context.newPage();
  watch(page);
  const link = options.link ?? (await launch());
  await before(page, link);
  await room(page);
  if (options.rejoin) await tryRejoin(page);
  if (options.until === 'after') {
    await after(page);
    await recruiter(link);
  }
} catch (error) {
  seen.failed = String(error);
  const page = browser.contexts()[0]?.pages()[0];
  await page?.screenshot({ path: join(out, 'failed.png') }).catch(() => undefined);
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen, null, 1));
process.exitCode = seen.failed ? 1 : 0;

/** A page of who is signed in, in a window of their own: candidates have no account. */
async function signedIn() {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  await signIn(context, url);
  const page = await context.newPage();
  watch(page);
  return page;
}

async function launch() {
  const page = await signedIn();
  await page.goto(launchPage(url));
  await page.getByText('At most').waitFor();
  await shots(page, '1-launch');
  await page.getByRole('button', { name: 'Launch now' }).click();
  await page.getByRole('alert').waitFor();
  seen.launchErrors = await page.getByRole('alert').getByRole('listitem').allInnerTexts();
  await shots(page, '1-launch-errors');
  await page.getByLabel('Candidate’s name').fill('Ilse Varga');
  await page.getByLabel('Target role').fill('Backend engineer, payments');
  await page.getByLabel('Level').selectOption('senior');
  if (options.blueprint) await page.locator(`input[name=blueprint][value="${options.blueprint}"]`).check();
  await page.getByRole('button', { name: 'Launch now' }).click();
  const link = await page.getByLabel('Candidate’s link').inputValue();
  await shots(page, '2-link', [/\/i\/[0-9a-f]{96}/]);
  await page.context().close();
  return link;
}

/** The page is in the language of the interview; this script reads English. */
async function readInEnglish(page) {
  await page.getByRole('checkbox', { name: /\bAI\b|\bKI\b|\bIA\b/ }).waitFor();
  seen.language = await page.evaluate(() => document.documentElement.lang);
  if (seen.language === 'en') return;
  await shots(page, '3-before-own-language');
  await page.locator('select.lang').selectOption('en');
  await page.locator('html[lang=en]').waitFor();
}

async function before(page, link) {
  await tryLameLine(page, `${new URL(url).origin}/i/${'0'.repeat(96)}`);
  seen.unknownLink = await page.getByRole('heading', { level: 1 }).innerText();
  await shots(page, '3-unknown-link');
  await page.goto(link);
  await readInEnglish(page);
  const start = page.getByRole('button', { name: 'Start the interview' });
  await start.click();
  seen.withoutConsent = await page.getByRole('alert').innerText();
  await shots(page, '3-before-unagreed');
  await page.getByLabel('I take part in an interview led by an AI').check();
  await page.evaluate(unplug);
  const starts = [];
  page.on('request', (request) => request.url().endsWith('/start') && starts.push(request.url()));
  await start.click();
  const unheard = page.getByText('The interview needs a microphone');
  await unheard.waitFor();
  await shots(page, '3-before-unheard');
  seen.startedUnheard = starts.length;
  await page.evaluate(() => window.plugIn());
  const tries = page.getByRole('button', { name: 'Try the microphone' });
  await tries.evaluate((button) => [button, button].map((each) => each.click()));
  await page.getByLabel('Microphone', { exact: true }).waitFor();
  await page.waitForFunction(isOneOf, 2);
  seen.openedOnce = true;
  seen.unheardIsOver = (await unheard.count()) === 0;
  await page.getByRole('button', { name: 'Play a test sound' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  seen.microphones = await page.getByLabel('Microphone', { exact: true }).locator('option').allInnerTexts();
  await shots(page, '3-before');
  await start.click();
  await page.locator('[data-situation]').waitFor();
}

/** A part of the page does not come, then it does. */
async function tryLameLine(page, address) {
  const part = '**/CandidatePage*';
  await page.route(part, (route) => route.abort());
  await page.goto(address);
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  seen.notLoaded = await page.getByRole('heading', { level: 1 }).innerText();
  await shots(page, '3-not-loaded');
  await page.unroute(part);
  await again.click();
  await again.waitFor({ state: 'hidden' });
}

async function room(page) {
  const deadline = Date.now() + Number(options['room-limit']) * 1000;
  let ended = false;
  const answers = JSON.parse(options.answers ?? '[]');
  const toType = [...options.type];
  // A person answers a little after the question, once it is clear that it is over.
  let askedSince = 0;
  let isAsked = false;
  while (Date.now() < deadline && !page.url().endsWith('/after')) {
    const now = await page.evaluate(readRoom).catch(() => undefined);
    if (now?.situation) {
      note(seen.situations, now.situation);
      if (now.stage) note(seen.stages, now.stage);
      seen.question = now.question ?? seen.question;
      if (now.captions.length > 0) seen.captions = now.captions;
      // The statistics go with the connection: when the room is left, the last reading has none.
      seen.sound = {
        energy: Math.max(seen.sound?.energy ?? 0, now.sound.energy),
        packetsSent: Math.max(seen.sound?.packetsSent ?? 0, now.sound.packetsSent),
      };
      // Screenshots keep the page busy, and what it records has to be sent in time.
      const isDrawn = options['record-on'] || seen.screenshots.includes(`4-room-${now.situation}-light`);
      if (!isDrawn) await shots(page, `4-room-${now.situation}`);
      if (options.form && now.hasForm && !seen.form) await fillIn(page, JSON.parse(options.form));
      if (now.situation === options.until) break;
      isAsked ||= now.situation === 'speaking';
      if (!isAsked || now.situation !== 'listening') askedSince = 0;
      else askedSince ||= Date.now();
      const isDue = askedSince > 0 && Date.now() - askedSince >= 500;
      if (isDue && options.buttons && !seen.buttons) {
        await tryButtons(page, options.buttons);
      } else if (isDue && toType.length > 0) {
        isAsked = false;
        seen.answered += 1;
        answers.shift();
        await typeAnswer(page, toType.shift());
        if (seen.answered === 1) await openAgain(page);
      } else if (isDue && answers.length > 0) {
        if (options['muted-first'] && seen.answered === 0) await tryMutedTalk(page, answers[0]);
        isAsked = false;
        seen.answered += 1;
        await page.evaluate(([start, end]) => void window.say(start, end), answers.shift());
        if (seen.answered === 1) await openAgain(page);
      }
      const said = now.captions.filter((caption) => caption.speaker === 'you').length;
      if (options['end-after'] && !ended && said >= Number(options['end-after'])) {
        ended = true;
        await page.getByRole('button', { name: 'End', exact: true }).click();
        await page.getByRole('button', { name: 'End interview' }).click();
      }
    }
    await sleep(200);
  }
  if (options.until === 'in-line') {
    await tryMute(page);
    await tryMutedBySystem(page);
    await tryUnplug(page);
    await tryEndDialog(page);
    await trySecondTab(page);
  }
}

/** Types an answer and sends it, by the keyboard alone from when the field is open; then closes the field. */
async function typeAnswer(page, text) {
  const button = page.locator('[aria-controls=typed]');
  await button.click();
  const field = page.getByLabel('Your answer');
  await field.waitFor();
  for (const [n, line] of text.split('\n').entries()) {
    if (n > 0) await page.keyboard.press('Shift+Enter');
    await page.keyboard.type(line);
  }
  const typed = { text: await field.inputValue(), open: await button.getAttribute('aria-expanded') };
  await shots(page, '4-room-typing');
  await page.keyboard.press('Enter');
  // Once the interviewer has it, it is not grey any more.
  await page.waitForFunction(captionsWith, text).catch(() => undefined);
  typed.captions = await page.evaluate(captionsWith, text);
  typed.left = await field.inputValue();
  typed.focused = await field.evaluate((element) => element === document.activeElement);
  typed.error = await page
    .locator('.typed .error')
    .innerText({ timeout: 100 })
    .catch(() => undefined);
  await page.keyboard.press('Escape');
  typed.closed = await button.evaluate(
    (element) => element === document.activeElement && element.getAttribute('aria-expanded') === 'false',
  );
  seen.typed = [...(seen.typed ?? []), typed];
}

/** Fills in the form for contact data and sends it, or says no to it. */
async function fillIn(page, values) {
  const form = page.locator('.contact form');
  seen.form = await page.evaluate(readForm);
  await shots(page, '4-room-form');
  if (values === null) {
    await page.getByRole('button', { name: 'Rather not' }).click();
    await form.waitFor({ state: 'hidden' });
    seen.form.answer = 'declined';
    return;
  }
  for (const [key, value] of Object.entries(values)) await form.locator(`[name="${key}"]`).fill(value);
  // While the interviewer says what nobody may cut off, nothing is taken.
  await page
    .locator('[data-situation=listening]')
    .waitFor({ timeout: 15_000 })
    .catch(() => undefined);
  await form.getByRole('button', { name: 'Send' }).click();
  const answered = page.locator('.contact .notice, .contact .error');
  await answered.first().waitFor();
  Object.assign(seen.form, await page.evaluate(readFormAnswer));
  await shots(page, '4-room-form-answered');
}

/** Every button and key in turn, each as a person would press it, and what the page and the interviewer made of it. */
async function tryButtons(page, text) {
  const pressed = {};
  seen.buttons = pressed;
  const question = () => page.locator('.asked .voice').innerText();
  const first = await question();
  const help = (name) => page.getByRole('button', { name, exact: true });
  const isIn = (situation) => page.locator(`[data-situation=${situation}]`).waitFor();

  pressed.repeat = await press(page, () => help('Repeat').click());
  await isIn('listening');
  pressed.rephrase = await press(page, () => page.keyboard.press('w'));
  await isIn('listening');
  pressed.more_time = await press(page, () => page.keyboard.press('t'));
  await isIn('more-time');
  await shots(page, '4-room-more-time');

  pressed.pause = await press(page, () => page.keyboard.press('p'));
  await isIn('paused');
  await page.waitForFunction(isSent, false);
  await shots(page, '4-room-paused');
  pressed.resume = await press(page, () => help('Go on').click());
  await page.locator('[data-situation=paused]').waitFor({ state: 'detached' });
  await page.waitForFunction(isSent, true);
  pressed.stillAsks = (await question()) === first;
  await isIn('listening');

  await page.keyboard.press('m');
  await page.waitForFunction(isSent, false);
  await page.keyboard.press('m');
  await page.waitForFunction(isSent, true);

  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Settings and keys' }).waitFor();
  await shots(page, '4-room-settings');
  await page.getByLabel('Single keys work').uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await help('Settings').click();
  pressed.withoutKeys = await page.evaluate(isSent, true);
  await page.getByLabel('Single keys work').check();
  await page.keyboard.press('Escape');

  await page.keyboard.press('k');
  await isIn('typing');
  await page.waitForFunction(isSent, false);
  await page.keyboard.type(text);
  await shots(page, '4-room-typing');
  await page.keyboard.press('Enter');
  await page.waitForFunction(captionsWith, text);
  await page.keyboard.press('Escape');
  await page.waitForFunction(isSent, true);
  await page.waitForFunction((first) => document.querySelector('.asked .voice')?.textContent !== first, first);
  const second = await question();
  pressed.skip = await press(page, () => page.keyboard.press('Shift+S'));
  await page.waitForFunction((second) => document.querySelector('.asked .voice')?.textContent !== second, second);
  pressed.questions = [first, second, await question()];

  await isIn('listening');
  await page.reload();
  await isIn('paused');
  await page.getByText('Welcome back', { exact: true }).waitFor();
  await page.waitForFunction(
    (wanted) => document.querySelector('.asked .voice')?.textContent === wanted,
    pressed.questions[2],
  );
  await shots(page, '4-room-back');
  await help('Go on').click();
  await page.locator('[data-situation=speaking], [data-situation=listening]').waitFor();
  await page.waitForFunction(isSent, true);
  pressed.afterReload = await question();

  await page.keyboard.press('Shift+E');
  pressed.endFocus = await page.evaluate(() => document.activeElement?.textContent);
  await shots(page, '4-room-end-asked');
  await help('End interview').click();
}

/** Presses something; what the page said of it first, after how long, and what the interviewer made of it. */
async function press(page, act) {
  await page.evaluate(() => {
    const before = document.querySelector('[data-press]')?.dataset.press;
    let pressedAt;
    let first;
    let toldAt;
    const note = () => {
      pressedAt ??= performance.now();
    };
    for (const type of ['click', 'keydown']) document.addEventListener(type, note, { capture: true, once: true });
    window.cameOf = new Promise((resolve) => {
      new MutationObserver((_, observer) => {
        const { press, cameOf } = document.querySelector('[data-press]')?.dataset ?? {};
        if (!press || press === before) return;
        first ??= cameOf;
        toldAt ??= performance.now();
        if (cameOf === 'sent') return;
        observer.disconnect();
        resolve({ first, afterMs: Math.round(toldAt - pressedAt), cameOf });
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
  });
  await act();
  return page.evaluate(() => window.cameOf);
}

async function tryMute(page) {
  await page.waitForFunction(isSent, true);
  await page.keyboard.press('m');
  await page.getByRole('button', { name: 'Unmute' }).waitFor();
  await page.waitForFunction(isSent, false);
  await shots(page, '4-room-after-mute');
  await page.getByRole('button', { name: 'Unmute' }).click();
  await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  await page.waitForFunction(isSent, true);
  seen.muted = true;
}

/** Who talks while they are muted is told so. */
async function tryMutedTalk(page, [start, end]) {
  await page.keyboard.press('m');
  await page.waitForFunction(isSent, false);
  await page.evaluate(([start, end]) => void window.say(start, end), [start, end]);
  await page.getByText('You seem to be talking, and nobody hears it.').waitFor();
  await page.locator('[data-situation=muted]').waitFor();
  await shots(page, '4-room-muted-talk');
  await page.locator('.dock .notice').getByRole('button', { name: 'Unmute' }).click();
  await page.waitForFunction(isSent, true);
  seen.mutedTalk = true;
}

/** The system mutes the microphone, or a phone call takes it; then it is back. */
async function tryMutedBySystem(page) {
  const microphone = await page.evaluateHandle(microphoneSent);
  const tell = (what) => microphone.evaluate((track, what) => track.dispatchEvent(new Event(what)), what);
  await tell('mute');
  await page.locator('[data-situation=no-microphone]').waitFor();
  await tell('unmute');
  await page.locator('[data-situation=in-line]').waitFor();
  await page.waitForFunction(isSent, true);
  seen.mutedBySystem = true;
}

/** The microphone goes in the middle and no other one opens; then it is back. */
async function tryUnplug(page) {
  await page.evaluate(unplug);
  await page.locator('[data-situation=no-microphone]').waitFor();
  await shots(page, '4-room-no-microphone');
  await page.evaluate(() => window.plugIn());
  await page.locator('.notice').getByRole('button').first().click();
  await page.locator('[data-situation=in-line]').waitFor();
  await page.waitForFunction(isSent, true);
  seen.unplugged = true;
}

async function tryEndDialog(page) {
  await page.getByRole('button', { name: 'End', exact: true }).click();
  seen.endFocus = await page.evaluate(() => document.activeElement?.textContent);
  await shots(page, '4-room-end-asked');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** Whoever opens the link again in the middle of an interview: what are they asked? */
async function openAgain(page) {
  const second = await page.context().newPage();
  watch(second);
  await second.goto(page.url());
  await second.getByRole('button', { name: 'Go on with the interview' }).waitFor();
  seen.openedAgain = {
    boxes: await second.locator('#agree, #record').count(),
    agreed: await second.getByText('You agreed to take part').isVisible(),
  };
  await shots(second, '3-before-again');
  await second.close();
}

async function trySecondTab(page) {
  const second = await page.context().newPage();
  watch(second);
  await second.goto(page.url());
  const start = second.getByRole('button', { name: /Start the interview|Go on/ });
  await start.waitFor();
  // Once it has begun nobody is asked again.
  const agree = second.getByLabel('I take part in an interview led by an AI');
  if (await agree.isVisible()) await agree.check();
  await start.click();
  await page.getByRole('heading', { name: 'The interview is open in another tab' }).waitFor();
  // It has no safe answer for Esc to give.
  for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key);
  await shots(page, '4-room-second-tab');
  await page.getByRole('button', { name: 'Use this tab' }).click();
  await second.getByRole('heading', { name: 'The interview is open in another tab' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  seen.secondTab = true;
  await second.close();
}

/** What was received is gone with the connection: is it there again, and once? */
async function tryRejoin(page) {
  const captions = async () => (await page.evaluate(readRoom)).captions.map(({ text }) => text);
  const before = await captions();
  await trySecondTab(page);
  // What is said now may be there before what is read.
  await page.locator('.log p').filter({ hasText: before[0]?.trim() }).waitFor();
  seen.rejoined = { before, after: await captions() };
}

async function after(page) {
  await page.waitForURL(/\/after$/, { timeout: 60_000 });
  // What comes afterwards is loaded apart, and the transcript is another one with it.
  const isWhole = async () => {
    for (const name of ['What we heard', 'How was it for you?']) await page.getByRole('heading', { name }).waitFor();
  };
  Object.assign(seen, await page.evaluate(() => ({ said: window.said, turns: window.turns })));
  await isWhole();
  await shots(page, '5-after');
  // A long one is not shown whole at first.
  const all = page.getByRole('button', { name: /^Show all/ });
  const read = async () => {
    if (await all.isVisible()) await all.click();
    return page.evaluate(readAfter);
  };
  seen.after = await read();
  await page.reload();
  await isWhole();
  seen.afterReload = await read();
}

/** What the recruiter finds. */
async function recruiter(link) {
  const id = new URL(link).pathname.slice('/i/'.length, '/i/'.length + 32);
  const page = await signedIn();
  await page.goto(`${url}/interviews`);
  const interview = page.getByRole('row').filter({ has: page.locator(`a[href="/interviews/${id}"]`) });
  // The list follows by itself what the candidate has seen already.
  await interview.getByRole('link', { name: 'Open report' }).waitFor();
  seen.listed = await interview.locator('.stst > span').allInnerTexts();
  await shots(page, '6-interviews');
  await interview.getByRole('rowheader').getByRole('link', { name: 'Ilse Varga' }).click();
  await page.getByRole('heading', { name: 'What was said' }).waitFor();
  seen.recruiter = await page.evaluate(readParts);
  await shots(page, '6-interview');
}

/** Light, dark, and 320 px wide; notes what does not fit. */
async function shots(page, name, masks = []) {
  const mask = masks.length > 0 ? [page.locator('#link')] : [];
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
    await page.screenshot({ path: join(out, `${name}-${variant}.png`), fullPage: true, mask });
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

function note(list, value) {
  if (list.at(-1) !== value) list.push(value);
}

// The following run in the page.

/** In place of the microphone: a track that is silent until `say` plays a part of the recording into it. */
function answeringMicrophone(wav) {
  const bytes = Uint8Array.from(atob(wav), (char) => char.charCodeAt(0));
  let context;
  let microphone;
  let recording;
  async function open() {
    context ??= new AudioContext();
    await context.resume();
    microphone ??= new MediaStreamAudioDestinationNode(context, { channelCount: 1 });
    recording ??= await context.decodeAudioData(bytes.buffer.slice(0));
    return microphone.stream.clone();
  }
  if (!navigator.mediaDevices) return;
  navigator.mediaDevices.getUserMedia = open;
  window.say = (start, end) => {
    const source = new AudioBufferSourceNode(context, { buffer: recording });
    source.connect(microphone);
    source.start(0, start, end - start);
  };
}

/** Keeps every microphone that was opened: no browser tells how many are. */
function keepMicrophones() {
  const { mediaDevices } = navigator;
  if (!mediaDevices) return;
  const open = mediaDevices.getUserMedia.bind(mediaDevices);
  window.microphones = [];
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted);
    window.microphones.push(...stream.getAudioTracks());
    return stream;
  };
}

/** Keeps each change of what a screen reader is told, and counts how often it is the candidate's turn. */
function keepSaid() {
  window.said = [];
  window.turns = 0;
  const told = new MutationObserver((changes) => {
    for (const { target, type } of changes) {
      if (type === 'attributes') {
        if (target.dataset.situation === 'listening') window.turns += 1;
        continue;
      }
      const region = target instanceof Element ? target : target.parentElement;
      if (region?.matches('p[role=status]')) window.said.push(region.textContent);
    }
  });
  const text = { childList: true, characterData: true };
  told.observe(document, { subtree: true, ...text, attributes: true, attributeFilter: ['data-situation'] });
}

/** Whether one microphone is open of so many that were. */
function isOneOf(opened) {
  const open = window.microphones.filter((track) => track.readyState === 'live');
  return window.microphones.length === opened && open.length === 1;
}

/** Whether it is so that the microphone's sound goes out: what the button says is not what the track does. */
function isSent(wanted) {
  const senders = (window.connections ?? []).flatMap((connection) => connection.getSenders());
  return senders.some(({ track }) => track?.kind === 'audio' && track.enabled && !track.muted) === wanted;
}

/** What the microphone's sound goes out by. */
function microphoneSent() {
  const senders = window.connections.flatMap((connection) => connection.getSenders());
  return senders.find(({ track }) => track?.kind === 'audio').track;
}

/** What a browser does when the microphone is pulled out; `plugIn` undoes it. */
function unplug() {
  const { mediaDevices } = navigator;
  const open = mediaDevices.getUserMedia;
  mediaDevices.getUserMedia = () => Promise.reject(new DOMException('Requested device not found', 'NotFoundError'));
  window.plugIn = () => {
    mediaDevices.getUserMedia = open;
  };
  const senders = (window.connections ?? []).flatMap((connection) => connection.getSenders());
  senders.find(({ track }) => track?.kind === 'audio')?.track.dispatchEvent(new Event('ended'));
}

/** In how many places of the candidate's captions a text stands for good. */
function captionsWith(text) {
  const words = (text) => text.split(/\s+/).join(' ').trim();
  const certain = [...document.querySelectorAll('.log p.you')].map((line) => {
    const copy = line.cloneNode(true);
    for (const part of copy.querySelectorAll('b, .partial')) part.remove();
    return words(copy.textContent);
  });
  return certain.join('\n').split(words(text)).length - 1;
}

/** What the form asks for, and whether it has taken the focus. */
function readForm() {
  const form = document.querySelector('.contact form');
  return {
    heading: document.querySelector('.contact h2')?.textContent,
    choice: form.querySelector('p')?.textContent,
    fields: [...form.querySelectorAll('input')].map(({ name, type, autocomplete, labels }) => ({
      name,
      type,
      autocomplete,
      label: labels[0]?.textContent.trim(),
    })),
    tookFocus: form.contains(document.activeElement),
  };
}

/** What came of it: what was sent, or why not. */
function readFormAnswer() {
  const contact = document.querySelector('.contact');
  const texts = (selector) => [...contact.querySelectorAll(selector)].map((each) => each.textContent);
  const isSent = contact.querySelector('.notice.ok') !== null;
  return {
    answer: isSent ? 'accepted' : 'refused',
    sent: isSent ? texts('.notice.ok dd') : [],
    problems: isSent ? [] : texts('.notice, .error'),
  };
}

async function readRoom() {
  const text = (selector) => document.querySelector(selector)?.textContent ?? undefined;
  const sound = { energy: 0, packetsSent: 0 };
  for (const connection of window.connections ?? []) {
    for (const report of (await connection.getStats()).values()) {
      if (report.kind !== 'audio') continue;
      if (report.type === 'inbound-rtp') sound.energy += report.totalAudioEnergy ?? 0;
      if (report.type === 'outbound-rtp') sound.packetsSent += report.packetsSent ?? 0;
    }
  }
  return {
    situation: document.querySelector('[data-situation]')?.getAttribute('data-situation'),
    stage: text('.stages [aria-current] > span'),
    question: text('.asked .voice'),
    hasForm: document.querySelector('.contact form') !== null,
    captions: [...document.querySelectorAll('.log p')].map((line) => ({
      speaker: line.className,
      text: line.textContent,
    })),
    sound,
  };
}

function readAfter() {
  return {
    heading: document.querySelector('h1')?.textContent,
    turns: [...document.querySelectorAll('.turn')].map((turn) => ({
      speaker: turn.classList.contains('you') ? 'candidate' : 'interviewer',
      stage: turn.querySelector('.meta span')?.textContent,
      text: turn.querySelector('.voice')?.textContent,
    })),
  };
}

/** The same of the recruiter's page, where the turns stand below their stages. */
function readParts() {
  return {
    heading: document.querySelector('h1')?.textContent,
    turns: [...document.querySelectorAll('.turn')].map((turn) => ({
      speaker: turn.classList.contains('you') ? 'candidate' : 'interviewer',
      stage: turn.parentElement.closest('li')?.querySelector('h3')?.textContent ?? '',
      text: turn.querySelector('.voice')?.textContent,
    })),
  };
}
