import { describe, expect, it } from 'vitest';
import { decodeAnswer, encodeRequest } from './control';

const bytes = (text: string) => new TextEncoder().encode(text);

/** R04, R08: requests carry an id; what is no answer is passed over, whatever its bytes. */
describe('vivavoce.control', () => {
  it('a request is JSON with its id', () => {
    expect(JSON.parse(new TextDecoder().decode(encodeRequest('r1', 'end')))).toEqual({ id: 'r1', request: 'end' });
  });

  it('reads both answers', () => {
    expect(decodeAnswer(bytes('{"id":"r1","answer":"accepted"}'))).toEqual({
      id: 'r1',
      answer: 'accepted',
      reason: '',
    });
    expect(decodeAnswer(bytes('{"id":"r1","answer":"refused","reason":"busy"}'))?.reason).toBe('busy');
  });

  it.each(['', 'null', '[]', '{"id":1,"answer":"accepted"}', '{"id":"r1"}', '{"id":"r1","answer":"maybe"}', '{"id":'])(
    'passes over %s',
    (text) => expect(decodeAnswer(bytes(text))).toBeUndefined(),
  );

  it('passes over bytes that are no text', () => {
    expect(decodeAnswer(new Uint8Array([0xff, 0xfe]))).toBeUndefined();
  });
});
