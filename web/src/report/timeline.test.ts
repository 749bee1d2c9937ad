import { expect, it } from 'vitest';
import type { Timeline } from '../api/contract';
import { blocksOf, describe, PICTURE, stretchesOf, ticksOf, whatAt, xOf } from './timeline';

const timeline: Timeline = {
  duration_ms: 600_000,
  speech: [
    { speaker: 'interviewer', from_ms: 0, to_ms: 10_000 },
    { speaker: 'candidate', from_ms: 12_000, to_ms: 40_000 },
    { speaker: 'candidate', from_ms: 40_100, to_ms: 42_000 },
    { speaker: 'candidate', from_ms: 300_000, to_ms: 300_001 },
  ],
  stages: [
    { title: 'Greeting', from_ms: 0, to_ms: 20_000 },
    { title: 'Past experience', from_ms: 20_000, to_ms: 600_000 },
  ],
  events: [
    { at_ms: 20_000, kind: 'handoff', text: 'Handoff to Past experience' },
    { at_ms: 50_000, kind: 'nudge', text: '' },
    { at_ms: 60_000, kind: 'nudge', text: '' },
  ],
  latency: [],
};

it('puts times within the picture, also those beyond the end', () => {
  expect(xOf(0, 600_000)).toBe(PICTURE.left);
  expect(xOf(600_000, 600_000)).toBe(PICTURE.right);
  expect(xOf(900_000, 600_000)).toBe(PICTURE.right);
  expect(xOf(5, 0)).toBe(PICTURE.left);
});

it('names a stage only where its name fits', () => {
  expect(blocksOf(timeline).map(({ label }) => label)).toEqual(['', 'Past experience']);
});

it('joins speech that would touch, and shows the shortest', () => {
  const candidate = stretchesOf(timeline, 'candidate');
  expect(candidate).toHaveLength(2);
  expect(candidate[1]?.width).toBeGreaterThanOrEqual(1);
  expect(stretchesOf(timeline, 'interviewer')).toHaveLength(1);
});

it('has a scale of round steps', () => {
  expect(ticksOf(600_000)).toHaveLength(11);
  expect(ticksOf(1_328_000).slice(0, 2)).toEqual([0, 120_000]);
  expect(ticksOf(0)).toEqual([0]);
  expect(ticksOf(8 * 3_600_000).length).toBeLessThanOrEqual(15);
});

it('says what is there, and what the picture shows', () => {
  expect(whatAt(timeline, 15_000)).toBe('Greeting, candidate speaking');
  expect(whatAt(timeline, 11_000)).toBe('Greeting, nobody speaking');
  const words = describe(timeline);
  expect(words).toContain('10:00 in 2 stages');
  expect(words).toContain('75 %');
  expect(words).toContain('Nudge: 2');
});
