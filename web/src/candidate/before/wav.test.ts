import { expect, it } from 'vitest';
import { RATE, wavOf } from './wav';

/** C01: the file says what is in it, and no sample is larger than a sample can be. */
it('writes samples behind a header', () => {
  const bytes = wavOf(new Float32Array([0, 1, -1, 2, 0.5]));
  const view = new DataView(bytes);
  const text = (at: number, length: number) => String.fromCharCode(...new Uint8Array(bytes, at, length));
  expect([text(0, 4), text(8, 8), text(36, 4)]).toEqual(['RIFF', 'WAVEfmt ', 'data']);
  expect(view.getUint32(4, true)).toBe(bytes.byteLength - 8);
  expect([view.getUint16(22, true), view.getUint32(24, true), view.getUint16(34, true)]).toEqual([1, RATE, 16]);
  expect(view.getUint32(40, true)).toBe(10);
  const samples = [0, 1, 2, 3, 4].map((n) => view.getInt16(44 + n * 2, true));
  expect(samples).toEqual([0, 32_767, -32_767, 32_767, 16_384]);
});
