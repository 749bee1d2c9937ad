import { describe, expect, it } from 'vitest';
import { dbfs, mutedTalk } from './mutedTalk';

/** How often it is told, of levels at 100 ms each. */
function told(...levels: [dbfs: number, looks: number][]): number {
  const talks = mutedTalk();
  return levels.flatMap(([level, looks]) => Array.from({ length: looks }, () => talks(level))).filter(Boolean).length;
}

/** Case 38: a second of talk is told, a cough or a room is not; who goes on is told of again, not at once. */
describe('talk while muted', () => {
  it('is told after a second', () => expect(told([-60, 20], [-30, 10])).toBe(1));
  it('has breaths', () => expect(told([-30, 4], [-60, 4], [-30, 4])).toBe(1));
  it('is no cough', () => expect(told([-60, 20], [-15, 5], [-60, 20], [-15, 5])).toBe(0));
  it('is no room', () => expect(told([-45, 600])).toBe(0));
  it('is told of every five seconds', () => expect(told([-30, 120])).toBe(3));
  it('has a level', () => {
    expect(dbfs(new Float32Array([0.1, -0.1]))).toBeCloseTo(-20, 3);
    expect(dbfs(new Float32Array(8))).toBe(-Infinity);
  });
});
