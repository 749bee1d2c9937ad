import type { BlueprintFile } from '../api/blueprints';

/** A line of two texts: in both, in the older one alone, or in the newer one alone; or some lines that are in both. */
export type Line =
  | { kind: 'same' | 'old' | 'new'; text: string; number: number }
  | { kind: 'gap'; count: number; number: number };

/** A file that differs. */
export interface FileDifference {
  name: string;
  lines: Line[];
}

/** Above this many pairs of lines the middle of two texts is shown as wholly other. */
const PAIRS_MAX = 4_000_000;
/** So many equal lines stand around what differs. */
const AROUND = 2;

/** The files that differ between an older and a newer version, in the newer one's order. */
export function differences(older: readonly BlueprintFile[], newer: readonly BlueprintFile[]): FileDifference[] {
  const textIn = (files: readonly BlueprintFile[], name: string) => files.find((file) => file.name === name)?.text;
  const names = [...new Set([...newer, ...older].map(({ name }) => name))];
  return names.flatMap((name) => {
    const [before, after] = [textIn(older, name), textIn(newer, name)];
    if (before === after) return [];
    return [{ name, lines: folded(linesOf(split(before), split(after))) }];
  });
}

function split(text: string | undefined): string[] {
  if (!text) return [];
  return text.replace(/\n$/, '').split('\n');
}

/** Every line of both: the longest sequence that they share is what is the same. */
function linesOf(older: readonly string[], newer: readonly string[]): Line[] {
  let begin = 0;
  while (begin < older.length && begin < newer.length && older[begin] === newer[begin]) begin += 1;
  let end = 0;
  while (
    end < older.length - begin &&
    end < newer.length - begin &&
    older[older.length - 1 - end] === newer[newer.length - 1 - end]
  )
    end += 1;
  const same = (from: number, to: number): Line[] =>
    newer.slice(from, to).map((text, index) => ({ kind: 'same', text, number: from + index + 1 }));
  return [
    ...same(0, begin),
    ...middle(older.slice(begin, older.length - end), newer.slice(begin, newer.length - end), begin),
    ...same(newer.length - end, newer.length),
  ];
}

function middle(older: readonly string[], newer: readonly string[], before: number): Line[] {
  const old = (index: number): Line => ({ kind: 'old', text: older[index] ?? '', number: before + index + 1 });
  const fresh = (index: number): Line => ({ kind: 'new', text: newer[index] ?? '', number: before + index + 1 });
  if (older.length * newer.length > PAIRS_MAX)
    return [...older.map((_, index) => old(index)), ...newer.map((_, index) => fresh(index))];
  const width = newer.length + 1;
  // How long the shared sequence of what follows is.
  const shared = new Uint16Array((older.length + 1) * width);
  const at = (i: number, j: number) => shared[i * width + j] ?? 0;
  for (let i = older.length - 1; i >= 0; i -= 1)
    for (let j = newer.length - 1; j >= 0; j -= 1)
      shared[i * width + j] = older[i] === newer[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < older.length || j < newer.length) {
    if (i < older.length && j < newer.length && older[i] === newer[j]) {
      lines.push({ kind: 'same', text: newer[j] ?? '', number: before + j + 1 });
      i += 1;
      j += 1;
    } else if (i < older.length && (j === newer.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(old(i));
      i += 1;
    } else {
      lines.push(fresh(j));
      j += 1;
    }
  }
  return lines;
}

/** Without the equal lines that stand far from what differs. */
function folded(lines: readonly Line[]): Line[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') for (let n = index - AROUND; n <= index + AROUND; n += 1) near.add(n);
  const shown: Line[] = [];
  for (const [index, line] of lines.entries()) {
    const last = shown.at(-1);
    if (near.has(index)) shown.push(line);
    else if (last?.kind === 'gap') last.count += 1;
    else shown.push({ kind: 'gap', count: 1, number: line.number });
  }
  return shown;
}
