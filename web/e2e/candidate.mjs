// Goes the whole way in a real browser: launch form → candidate link → consent and microphone → room → after.
// Prints as JSON what it saw, keeps screenshots, and judges nothing: the test that starts it does.
//
//   node e2e/candidate.mjs --url http://127.0.0.1:8080 --wav speech.wav --out DIR
//     --blueprint NAME      which one to launch (default: the first)
//     --link URL            open this link in place of launching
//     --room-limit SECONDS  how long to stay in the room at most (default 240)
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
//     --text                launched to be held in text alone, as it has to be in a language that nothing hears here
//     --denied              no microphone opens, and the notice about that has the way into the room, by typing
//     --record-on           what records the microphone before it is heard cannot be stopped
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { focusInDialog, go, hasFocus, launchBrowser, openWindow, takeShots, until, watch } from './driver.mjs';
import { launchPage, signIn } from './sign-in.mjs';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    wav: { type: 'string' },
    out: { type: 'string' },
    blueprint: { type: 'string' },
    link: { type: 'string' },
    'room-limit': { type: 'string', default: '240' },
    until: { type: 'string', default: 'after' },
    answers: { type: 'string' },
    type: { type: 'string', multiple: true, default: [] },
    form: { type: 'string' },
    'end-after': { type: 'string' },
    buttons: { type: 'string' },
    rejoin: { type: 'boolean' },
    'muted-first': { type: 'boolean' },
    denied: { type: 'boolean' },
    text: { type: 'boolean' },
    'record-on': { type: 'boolean' },
  },
});
const { url, wav, out } = options;
if (!url || !wav || !out) throw new Error('--url, --wav and --out are needed');

const seen = { pageErrors: [], overflows: [], screenshots: [], situations: [], stages: [], answered: 0 };
const shots = (page, name, mask) => takeShots(page, name, { seen, out, mask });
const browser = await launchBrowser([
  '--use-fake-ui-for-media-stream',
  '--use-fake-device-for-media-stream',
  `--use-file-for-fake-audio-capture=${wav}%noloop`,
  '--autoplay-policy=no-user-gesture-required',
]);
await go(browser, { seen, out }, async () => {
  const context = await openWindow(browser);
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
  watch(page, seen);
  const link = options.link ?? (await launch());
  await before(page, link);
  if (options.denied) return;
  await room(page);
  if (options.rejoin) await tryRejoin(page);
  if (options.until === 'after') {
    await after(page);
    await recruiter(link);
  }
});

/** A page of who is signed in, in a window of their own: candidates have no account. */
async function signedIn() {
  const context = await openWindow(browser);
  await signIn(context, url);
  const page = await context.newPage();
  watch(page, seen);
  return page;
}

async function launch() {
  const page = await signedIn();
  await page.goto(launchPage(url));
  await page.getByText('At most').waitFor();
  await shots(page, '1-launch');
  await page.getByRole('button', { name: 'Launch now' }).click();
  const errors = page.getByRole('alert').getByRole('listitem');
  await errors.first().waitFor();
  seen.launchErrors = await errors.allInnerTexts();
  await shots(page, '1-launch-errors');
  await page.getByLabel('Candidate’s name').fill('Ilse Varga');
  await page.getByLabel('Target role').fill('Backend engineer, payments');
  await page.getByLabel('Level').selectOption('senior');
  if (options.blueprint) await page.locator(`input[name=blueprint][value="${options.blueprint}"]`).check();
  // In a language that nothing hears here it is launched for somebody who types.
  if (options.text) await page.getByRole('checkbox', { name: 'Held in text alone' }).check();
  await page.getByRole('button', { name: 'Launch now' }).click();
  const link = await page.getByLabel('Candidate’s link').inputValue();
  await shots(page, '2-link', [page.locator('#link')]);
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
  // They may change what was chosen for them.
  await page.getByLabel('I prefer to type').uncheck();
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
  if (options.denied) {
    await page.getByRole('button', { name: 'Type your answers' }).click();
    await page.locator('[data-situation]').waitFor();
    seen.startedByTyping = starts.length;
    return;
  }
  await page.evaluate(() => window.plugIn());
  const tries = page.getByRole('button', { name: 'Try the microphone' });
  await tries.evaluate((button) => [button, button].map((each) => each.click()));
  await page.getByLabel('Microphone', { exact: true }).waitFor();
  await page.waitForFunction(isOneOf, 2);
  seen.openedOnce = true;
  await unheard.waitFor({ state: 'detached' });
  seen.unheardIsOver = true;
  await page.getByRole('button', { name: 'Play a test sound' }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  const microphones = page.getByLabel('Microphone', { exact: true }).locator('option');
  await microphones.first().waitFor({ state: 'attached' });
  seen.microphones = await microphones.allInnerTexts();
  await shots(page, '3-before');
  await start.click();
  await page.locator('[data-situation]').waitFor();
  // This start is one; what was started before was started unheard.
  seen.startedUnheard = starts.length - 1;
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
  const isAfter = () => page.url().endsWith('/after');
  let isThere = false;
  let ended = false;
  const answers = JSON.parse(options.answers ?? '[]');
  const toType = [...options.type];
  // A person answers a little after the question, once it is clear that it is over.
  let askedSince = 0;
  let isAsked = false;
  while (!isAfter()) {
    if (Date.now() > deadline) throw new Error(`not ${options.until} within ${options['room-limit']} s`);
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
      isThere = now.situation === options.until;
      if (isThere) break;
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
  if (!isThere && options.until !== 'after') throw new Error(`it was over before it was ${options.until}`);
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
  await hasFocus(field);
  for (const [n, line] of text.split('\n').entries()) {
    if (n > 0) await page.keyboard.press('Shift+Enter');
    await page.keyboard.type(line);
  }
  const typed = { text: await field.inputValue(), open: await button.getAttribute('aria-expanded') };
  await shots(page, '4-room-typing');
  await page.keyboard.press('Enter');
  // Once the interviewer has it, it is not grey any more.
  await page.waitForFunction(captionsWith, text);
  typed.captions = await page.evaluate(captionsWith, text);
  typed.left = await field.inputValue();
  typed.focused = await field.evaluate((element) => element === document.activeElement);
  [typed.error] = await page.locator('.typed .error').allInnerTexts();
  await page.keyboard.press('Escape');
  await page.locator('[aria-controls=typed][aria-expanded=false]').waitFor();
  await hasFocus(button);
  typed.closed = true;
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
  await page.locator('[data-situation=listening]').waitFor();
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
  const asks = (text) => until(question, (now) => now === text);
  const asksAnother = (text) => until(question, (now) => now !== text);
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
  await asks(first);
  pressed.stillAsks = true;
  // A pause takes nothing of the time to think.
  await isIn('more-time');

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
  await page.getByLabel('Single keys work').check();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  // The button says at once what a key has done.
  await help('Mute').waitFor();
  pressed.withoutKeys = await page.evaluate(isSent, true);

  await page.keyboard.press('k');
  await isIn('typing');
  await hasFocus(page.getByLabel('Your answer'));
  await page.waitForFunction(isSent, false);
  await page.keyboard.type(text);
  await shots(page, '4-room-typing');
  await page.keyboard.press('Enter');
  await page.waitForFunction(captionsWith, text);
  await page.keyboard.press('Escape');
  await page.waitForFunction(isSent, true);
  const second = await asksAnother(first);
  pressed.skip = await press(page, () => page.keyboard.press('Shift+S'));
  pressed.questions = [first, second, await asksAnother(second)];

  await isIn('listening');
  await page.reload();
  await isIn('paused');
  await page.getByText('Welcome back', { exact: true }).waitFor();
  await asks(pressed.questions[2]);
  await shots(page, '4-room-back');
  await help('Go on').click();
  await page.locator('[data-situation=speaking], [data-situation=listening]').waitFor();
  await page.waitForFunction(isSent, true);
  pressed.afterReload = await asks(pressed.questions[2]);

  await page.keyboard.press('Shift+E');
  pressed.endFocus = await focusInDialog(page);
  await shots(page, '4-room-end-asked');
  await help('End interview').click();
  await isIn('ending');
  note(seen.situations, 'ending');
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
        // What is called unanswered after a while may be answered yet.
        if (cameOf === 'sent' || cameOf === 'unanswered') return;
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
  // A page that hears somebody talk while muted offers it a second time, beside what it says.
  const unmute = page.locator('.btn.mic').filter({ hasText: 'Unmute' });
  await unmute.waitFor();
  await page.waitForFunction(isSent, false);
  await shots(page, '4-room-after-mute');
  await unmute.click();
  await page.getByRole('button', { name: 'Mute', exact: true }).waitFor();
  await page.waitForFunction(isSent, true);
  seen.muted = true;
}

/** Who talks while they are muted is told so, for as long as they talk. */
async function tryMutedTalk(page, span) {
  await page.keyboard.press('m');
  await page.waitForFunction(isSent, false);
  await page.evaluate(([start, end]) => void window.say(start, end, true), span);
  await page.getByText('You seem to be talking, and nobody hears it.').waitFor();
  await page.locator('[data-situation=muted]').waitFor();
  await shots(page, '4-room-muted-talk');
  // What is told fades a while after the last word.
  await page.evaluate(() => window.hush());
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
  seen.endFocus = await focusInDialog(page);
  await shots(page, '4-room-end-asked');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
}

/** Whoever opens the link again in the middle of an interview: what are they asked? */
async function openAgain(page) {
  const second = await page.context().newPage();
  watch(second, seen);
  await second.goto(page.url());
  await second.getByRole('button', { name: 'Go on with the interview' }).waitFor();
  await second.getByText('You agreed to take part').waitFor();
  seen.openedAgain = { boxes: await second.locator('#agree, #record').count(), agreed: true };
  await shots(second, '3-before-again');
  await second.close();
}

async function trySecondTab(page) {
  const second = await page.context().newPage();
  watch(second, seen);
  await second.goto(page.url());
  const start = second.getByRole('button', { name: /Start the interview|Go on/ });
  await start.waitFor();
  // Once it has begun nobody is asked again. The box is there when the button is.
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
  const before = await until(captions, (said) => said.length > 0);
  await trySecondTab(page);
  // What is said now may be there before what is read.
  await page.locator('.log p').filter({ hasText: before[0].trim() }).waitFor();
  seen.rejoined = { before, after: await captions() };
}

async function after(page) {
  // What comes afterwards is loaded apart, and the transcript is another one with it, which says how long it is.
  const list = page.locator('ol.turns[data-count]');
  const read = async () => {
    await list.waitFor();
    const shown = await page.evaluate(readAfter);
    // A long one is not shown whole at first.
    if (shown.turns.length < shown.count) await page.getByRole('button', { name: /^Show all/ }).click();
    const { heading, turns } = await until(
      () => page.evaluate(readAfter),
      (after) => after.turns.length === after.count,
    );
    return { heading, turns };
  };
  Object.assign(seen, await page.evaluate(() => ({ said: window.said, turns: window.turns })));
  await list.waitFor();
  await shots(page, '5-after');
  seen.after = await read();
  await page.reload();
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
  seen.recruiter = await until(
    () => page.evaluate(readParts),
    ({ turns }) => turns.length === seen.after.turns.length,
  );
  await shots(page, '6-interview');
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
  // With `again` over and over, until `hush`.
  window.say = (start, end, again = false) => {
    const loop = { loop: again, loopStart: start, loopEnd: end };
    const source = new AudioBufferSourceNode(context, { buffer: recording, ...loop });
    source.connect(microphone);
    source.start(0, start, again ? undefined : end - start);
    window.hush = () => source.stop();
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
    count: Number(document.querySelector('ol.turns')?.dataset.count),
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
