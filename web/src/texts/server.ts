import { type Sentences, sentences } from './index';

/**
 * A sentence of the server in the language of the page; as it came where nobody has translated it, such as one that a
 * model wrote. The server knows no language: what it says is English, in its answers as in its log.
 */
export function ofServer(sentence: string): string {
  return translated(sentence, sentences());
}

/** The same of sentences that are put together, part by part: up to each full stop and comma. */
export function inParts(sentences: string): string {
  return sentences
    .split(/(?<=\.) (?=\S)/)
    .map((sentence) => {
      const whole = ofServer(sentence);
      return whole === sentence ? sentence.replace(/\.$/, '').split(', ').map(ofServer).join(', ').concat('.') : whole;
    })
    .join(' ');
}

/** The same by a given table. What is filled in is translated, too, where the table has it. */
export function translated(sentence: string, table: Sentences): string {
  const whole = Object.hasOwn(table, sentence) ? table[sentence] : undefined;
  if (whole !== undefined) return whole;
  for (const { key, pattern, names } of patternsOf(table)) {
    const found = pattern.exec(sentence);
    if (!found) continue;
    const filled = new Map(names.map((name, at) => [name, translated(found[at + 1] ?? '', table)]));
    return (table[key] ?? key).replace(HOLE, (hole) => filled.get(hole) ?? hole);
  }
  return sentence;
}

/** Such as `{chars}`, `{}` and `{:02}`, as Rust writes them. */
const HOLE = /\{[^{}]*\}/g;

/** What is filled in by its place or its name: `{}` and `{:02}` are `{0}`, `{1}` … */
export function holesOf(sentence: string): string[] {
  let at = 0;
  return (sentence.match(HOLE) ?? []).map((hole) => (/^\{(:.*)?\}$/.test(hole) ? `{${at++}}` : hole));
}

interface Pattern {
  key: string;
  pattern: RegExp;
  names: readonly string[];
}

let known: { table: Sentences; patterns: Pattern[] } | undefined;

/** Those with the most words of their own come first, so that a short one does not take a longer one's place. */
function patternsOf(table: Sentences): Pattern[] {
  if (known?.table === table) return known.patterns;
  const open = Object.keys(table).filter((key) => key.search(HOLE) >= 0);
  const length = (key: string) => key.replace(HOLE, '').length;
  const patterns = open
    .sort((one, other) => length(other) - length(one))
    .map((key) => ({ key, pattern: patternOf(key), names: holesOf(key) }));
  known = { table, patterns };
  return patterns;
}

function patternOf(key: string): RegExp {
  const parts = key.split(HOLE).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.+?)')}$`, 's');
}
