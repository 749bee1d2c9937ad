import { expect, it } from 'vitest';
import { partsOf, type Turn, turnAt, turnBeside } from './turns';

const turn = (speaker: Turn['speaker'], at_ms: number, stage: string, text: string): Turn => ({
  speaker,
  at_ms,
  stage,
  text,
  cut: false,
});
const turns = [
  turn('interviewer', 0, 'greeting', 'Hello, how are you?'),
  turn('candidate', 5000, 'greeting', 'Fine, thank you.'),
  turn('interviewer', 9000, 'past', 'Tell me of a bad day.'),
  turn('candidate', 12_000, 'past', 'The queue stood still.'),
];
const stages = [
  { id: 'greeting', title: 'Greeting' },
  { id: 'past', title: 'Past experience' },
];

it('finds the turn in which a quote was said', () => {
  expect(turnAt(turns, 6000, 'candidate')).toBe(1);
  expect(turnAt(turns, 10_000, 'candidate')).toBe(1);
  expect(turnAt(turns, 11_800, 'candidate')).toBe(3);
  expect(turnAt(turns, 10_000)).toBe(2);
  expect(turnAt([], 10)).toBe(-1);
});

it('goes from turn to turn, and first to the beginning of this one', () => {
  expect(turnBeside(turns, 6000, 1)).toBe(2);
  expect(turnBeside(turns, 5500, -1)).toBe(0);
  expect(turnBeside(turns, 8000, -1)).toBe(1);
  expect(turnBeside(turns, 0, -1)).toBe(0);
  expect(turnBeside(turns, 99_000, 1)).toBe(3);
});

it('lists turns by stage, and finds words', () => {
  const all = partsOf(turns, stages, { stage: '', words: '' });
  expect(all.map(({ title, turns }) => [title, turns.length])).toEqual([
    ['Greeting', 2],
    ['Past experience', 2],
  ]);
  expect(partsOf(turns, stages, { stage: '', words: ' QUEUE ' })[0]?.turns[0]?.index).toBe(3);
  expect(partsOf(turns, stages, { stage: 'past', words: 'hello' })).toEqual([]);
});
