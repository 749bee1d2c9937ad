import type { CandidateForm, PastedLine } from '../api/contract';

/** A line of a pasted list that can be mended before it is added. */
export interface LineDraft extends PastedLine {
  /** Whether it is added. */
  isTaken: boolean;
}

/** The lines as they were read: what has a problem is left out until it is mended. */
export function linesOf(read: readonly PastedLine[]): LineDraft[] {
  return read.map((line) => ({ ...line, isTaken: line.problem === null }));
}

/** A line that was changed by hand; the server has the last word on it. */
export function mended(line: LineDraft, part: { name?: string; email?: string }): LineDraft {
  const next = { ...line, ...part };
  return { ...next, problem: null, isTaken: Boolean(next.name.trim()) };
}

/** Who is added. */
export function takenOf(lines: readonly LineDraft[]): CandidateForm[] {
  return lines
    .filter(({ isTaken }) => isTaken)
    .map(({ name, email }) => ({ name: name.trim(), email: email.trim(), resume: '' }));
}

/** The server's errors beside their lines: its fields are named by their place among those that were sent. */
export function refusedLines(
  lines: readonly LineDraft[],
  problems: readonly { field: string; message: string }[],
): LineDraft[] {
  const taken = lines.filter(({ isTaken }) => isTaken);
  return lines.map((line) => {
    const place = taken.indexOf(line);
    const found = problems.find(({ field }) => place >= 0 && field.startsWith(`candidates.${place}.`));
    return found ? { ...line, problem: found.message, isTaken: false } : line;
  });
}
