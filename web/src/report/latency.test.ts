import { expect, it } from 'vitest';
import { hopsOf, restOf } from './latency';

const latency = [
  { turn: 1, end_of_turn_ms: 200, first_clause_ms: 500, response_ms: 840 },
  { turn: 2, end_of_turn_ms: 300, first_clause_ms: null, response_ms: 1000 },
  { turn: 3, end_of_turn_ms: null, first_clause_ms: null, response_ms: null },
  { turn: 4, end_of_turn_ms: 210, first_clause_ms: 190, response_ms: 1350 },
];

it('splits a reply into its steps, where they are known', () => {
  expect(hopsOf(latency)).toEqual([
    { turn: 1, decided: 200, worded: 300, heard: 340, total: 840 },
    { turn: 2, decided: 300, worded: null, heard: 700, total: 1000 },
    { turn: 4, decided: 210, worded: 0, heard: 1160, total: 1350 },
  ]);
});

it('fills the bar with a reply that took longer than it stands for', () => {
  expect(restOf(700, 1800)).toBe(1100);
  expect(restOf(33621, 1800)).toBe(0);
});
