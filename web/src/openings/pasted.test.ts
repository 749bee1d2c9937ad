import { expect, it } from 'vitest';
import { linesOf, mended, refusedLines, takenOf } from './pasted';

const read = [
  { line: 1, name: 'Ada', email: 'ada@example.org', problem: null },
  { line: 2, name: '', email: 'b@example.org', problem: 'There is no name in this line.' },
  { line: 4, name: 'Cem', email: '', problem: null },
];

it('leaves out what has a problem, until it is mended', () => {
  const lines = linesOf(read);
  expect(takenOf(lines).map(({ name }) => name)).toEqual(['Ada', 'Cem']);
  const next = lines.map((line) => (line.line === 2 ? mended(line, { name: ' Ben ' }) : line));
  expect(takenOf(next)).toContainEqual({ name: 'Ben', email: 'b@example.org', resume: '' });
  expect(next[1]?.problem).toBeNull();
});

it('puts the server’s errors beside the lines that were sent', () => {
  const lines = refusedLines(linesOf(read), [{ field: 'candidates.1.name', message: 'This is no name.' }]);
  expect(lines.map(({ problem }) => problem)).toEqual([null, 'There is no name in this line.', 'This is no name.']);
  expect(takenOf(lines).map(({ name }) => name)).toEqual(['Ada']);
});
