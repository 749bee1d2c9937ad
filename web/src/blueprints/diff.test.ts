import { expect, it } from 'vitest';
import { differences, type Line } from './diff';

const file = (name: string, ...lines: string[]) => ({ name, text: `${lines.join('\n')}\n` });
const short = (line: Line) =>
  line.kind === 'gap'
    ? `(${line.count})`
    : `${{ same: ' ', old: '-', new: '+' }[line.kind]}${line.number} ${line.text}`;
const shown = (older: ReturnType<typeof file>[], newer: ReturnType<typeof file>[]) =>
  differences(older, newer).map(({ name, lines }) => [name, ...lines.map(short)]);

it('shows what differs with two lines around it', () => {
  const before = file('a.md', '1', '2', '3', '4', '5', '6', '7', '8');
  const after = file('a.md', '1', '2', '3', '4', 'five', '6', '7', '8');
  expect(shown([before], [after])).toEqual([['a.md', '(2)', ' 3 3', ' 4 4', '-5 5', '+5 five', ' 6 6', ' 7 7', '(1)']]);
});

it('finds lines that were moved apart', () => {
  expect(shown([file('a', 'x', 'y', 'z')], [file('a', 'x', 'new', 'y', 'z', 'end')])).toEqual([
    ['a', ' 1 x', '+2 new', ' 3 y', ' 4 z', '+5 end'],
  ]);
});

it('names files that came and went, and none that stayed', () => {
  expect(shown([file('gone', 'a'), file('stays', 'b')], [file('stays', 'b'), file('came', 'c')])).toEqual([
    ['came', '+1 c'],
    ['gone', '-1 a'],
  ]);
  expect(differences([file('a', 'x')], [file('a', 'x')])).toEqual([]);
});

it('bears texts without one line in common that are too long to compare', () => {
  const long = (mark: string) => file('a', ...Array.from({ length: 3000 }, (_, n) => `${mark}${n}`));
  const [found] = differences([long('a')], [long('b')]);
  expect(found?.lines.length).toBe(6000);
});
