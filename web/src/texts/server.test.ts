import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadTexts } from './index';
import { holesOf, inParts, ofServer, translated } from './server';
import { sentences as german } from './server.de';
import { sentences as italian } from './server.it';

/**
 * Files of which the sentences are shown by no page: the interviews to begin from, which are data, and what models read
 * by MCP.
 */
const NO_ANSWERS = new Set(['templates.rs', 'mcp.rs']);
/** What is read by programs, or in files. */
const NOT_SHOWN = new Set([
  'The API of the web app: what its pages use, and other programs.',
  'Needs no account.',
  'Needs the role {}.',
  'Needs a person with the role {}.',
  'Needs a person with the role {role}, who has shown it within 5 minutes.',
  'Needs a key with the role {}.',
  'Send an API key: Authorization: Bearer vvk_… An admin makes one.',
  // It is in the message that a test sends to another program.
  'This webhook works.',
]);

/** Where the sentences that pages show are written, in folders, too. */
const WEB = readdirSync('../src/web', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.rs'));
const SOURCES = [
  ...WEB.map((name) => `src/web/${name}`),
  'src/assessor.rs',
  'src/mail/message.rs',
  'src/mail/mod.rs',
  'src/planning.rs',
  'src/session/room_line.rs',
  'crates/documents/src/kind.rs',
  'crates/documents/src/passed_over.rs',
  'crates/documents/src/problem.rs',
  'crates/interview/src/assess/criteria.rs',
  'crates/interview/src/assess/mod.rs',
  'crates/interview/src/assess/model.rs',
  'crates/interview/src/assess/quality.rs',
  'crates/interview/src/assess/timeline.rs',
];
/** Of these every sentence is for pages; of the others, those that the tables have. */
const FOR_PAGES = [
  ...WEB.filter((name) => !NO_ANSWERS.has(name)).map((name) => `src/web/${name}`),
  'src/mail/message.rs',
  'src/mail/mod.rs',
  'crates/documents/src/passed_over.rs',
  'crates/documents/src/problem.rs',
  'crates/interview/src/assess/criteria.rs',
  'crates/interview/src/assess/quality.rs',
  'crates/interview/src/assess/timeline.rs',
];

const literals = new Map(SOURCES.map((path) => [path, literalsOf(readFileSync(`../${path}`, 'utf8'))]));
const everywhere = new Set([...literals.values()].flat());

const web = WEB.map((name) => readFileSync(`../src/web/${name}`, 'utf8')).join('\n');
/** What the audit trail calls each deed: a line of the list of all deeds each. */
const acts = readFileSync('../src/database/acts.rs', 'utf8');
const deeds = [...acts.matchAll(/^ {4}\w+ "\w+" "([^"]+)";$/gm)].map(([, words = '']) => words);
/** Who did it where it is no account and no key, and what more is said in the call itself. */
const others = [...web.matchAll(/Actor::system\("([^"]+)"\)/g)].map(([, name = '']) => name);
const details = [...web.matchAll(/\b(?:by|deed|audit\w*)\(\s*&?who,\s*Act::\w+,[^;]*?\)/g)].flatMap(([call]) =>
  [...call.matchAll(/"([^"]*)"/g)].flatMap(([, text]) => text || []),
);

describe.each([
  ['German', german],
  ['Italian', italian],
])('the server’s sentences in %s', (_, table) => {
  /** A new sentence of the server has to be added to both tables. */
  it('are all there', () => {
    const shown = FOR_PAGES.flatMap((path) => (literals.get(path) ?? []).filter(isSentence));
    expect(shown.filter((sentence) => !Object.hasOwn(table, sentence) && !NOT_SHOWN.has(sentence))).toEqual([]);
  });

  it('are those that the server still says', () => {
    const old = Object.keys(table).filter((sentence) => isSentence(sentence) && !everywhere.has(sentence));
    expect(old).toEqual([]);
  });

  it('fill in the same', () => {
    const wanted = (key: string) => `${holesOf(key).sort()}`;
    const filled = (words: string) => `${(words.match(/\{[^{}]*\}/g) ?? []).sort()}`;
    const other = Object.entries(table).filter(
      ([key, words]) => wanted(key) !== filled(words) && !key.includes('{are}'),
    );
    expect(other).toEqual([]);
  });

  it('have what the audit trail names', () => {
    expect(deeds.length).toBeGreaterThan(50);
    expect(others.length).toBeGreaterThan(2);
    expect(details).toContain('1 candidate, from an applicant tracking system');
    const named = [...deeds, ...others, 'the candidate', ...details];
    expect(named.filter((what) => !Object.hasOwn(table, what))).toEqual([]);
  });
});

/** A deed without a line of its own in the list would escape the test above. */
it('finds every deed in the list', () => {
  const variants = acts.split('\n').filter((line) => /^ {4}[A-Z]\w+ "/.test(line));
  expect(variants.length).toBe(deeds.length);
});

it('has the same sentences in both tables', () => {
  expect(Object.keys(italian)).toEqual(Object.keys(german));
});

it('fills in what the server has filled in, translated where it is known', () => {
  expect(translated('This has 81 characters; 80 are the most. Shorten it.', german)).toBe(
    'Das sind 81 Zeichen; höchstens 80 sind möglich. Kürzen Sie es.',
  );
  expect(translated('Type the role.', german)).toBe('Geben Sie die Position ein.');
  expect(
    translated('Questions 1 and 4 are so alike that only one would be asked. Change one, or drop it.', italian),
  ).toBe('Le domande 1 e 4 sono così simili che se ne porrebbe solo una. Ne cambi una, o la tolga.');
  expect(translated('Question 2: it is empty. Fill it in, or drop it.', german)).toBe(
    'Frage 2: das ist leer. Füllen Sie es aus oder streichen Sie es.',
  );
  expect(translated('These are 41 files; 40 are the most.', german)).toBe(
    'Das sind 41 Dateien; höchstens 40 sind möglich.',
  );
  expect(translated('version 3: the text of version 1', german)).toBe('Fassung 3: der Text von Fassung 1');
  expect(translated('7 days, with the decision, s1', italian)).toBe('7 giorni, con la decisione, s1');
  expect(['1 candidate', '2 candidates'].map((detail) => translated(detail, german))).toEqual([
    '1 Person',
    '2 Personen',
  ]);
  expect(translated('No connection: tls handshake eof', german)).toBe('Keine Verbindung: tls handshake eof');
  expect(translated('Our line was cut 3 times.', german)).toBe('Unsere Leitung wurde unterbrochen: 3-mal.');
});

/** What a model or a browser says stays as it is. */
it('leaves what it does not know', () => {
  for (const sentence of ['They led the team through a migration.', '', 'constructor']) {
    expect(translated(sentence, german)).toBe(sentence);
  }
});

it('translates sentences that are put together', async () => {
  const words = '2 of 5 criteria have evidence. 2 not asked about, 1 with too little evidence. No level was given.';
  expect(inParts(words)).toBe(words);
  expect(ofServer('Type a name.')).toBe('Type a name.');
  await loadTexts('de');
  expect(inParts(words)).toBe(
    'Für 2 von 5 Kriterien gibt es Belege. 2 nicht gefragt, 1 mit zu wenig Belegen. Es wurde keine Stufe vergeben.',
  );
  await loadTexts('en');
});

/** The texts of a Rust file, without its tests and comments, as they are when it runs. */
function literalsOf(source: string): string[] {
  const code = source.replace(/#\[cfg\(test\)\]\s*mod tests \{[\s\S]*/, '').replace(/^\s*\/\/.*$/gm, '');
  return [...code.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map(([, text = '']) =>
    text
      .replace(/\\\n\s*/g, '')
      .replace(/\\u\{(\w+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
      .replace(/\\"/g, '"')
      .trim(),
  );
}

function isSentence(text: string): boolean {
  return / /.test(text) && /^[A-Z{“]/.test(text) && /[.?!]$|[.?!]”$/.test(text);
}
