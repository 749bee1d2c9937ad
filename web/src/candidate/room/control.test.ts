import type { RemoteParticipant, Room } from 'livekit-client';
import { describe, expect, it, vi } from 'vitest';
import { decodeAnswer, encodeRequest, sendAnswer } from './control';

const bytes = (text: string) => new TextEncoder().encode(text);

/** R04, R08: requests carry an id; what is no answer is passed over, whatever its bytes. */
describe('vivavoce.control', () => {
  it('a request is JSON with its id', () => {
    expect(JSON.parse(new TextDecoder().decode(encodeRequest('r1', { request: 'end' })))).toEqual({
      id: 'r1',
      request: 'end',
    });
  });

  it('a form is sent with its values', () => {
    const values = { name: 'Zoë', email: 'zoe@example.org' };
    expect(JSON.parse(new TextDecoder().decode(encodeRequest('r2', { request: 'fill', values })))).toEqual({
      id: 'r2',
      request: 'fill',
      values,
    });
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

/** R04: a typed answer goes to the interviewer alone, and the answer to it names its stream. */
it('sends a typed answer', async () => {
  const sendText = vi.fn(async () => ({ id: 'stream 1' }));
  const room = { localParticipant: { sendText } } as unknown as Room;
  const id = await sendAnswer(room, { identity: 'agent-1' } as RemoteParticipant, 'Yes.');
  expect(id).toBe('stream 1');
  expect(sendText.mock.calls).toEqual([['Yes.', { topic: 'lk.chat', destinationIdentities: ['agent-1'] }]]);
});

/** R04: a refusal says why, in this page's own words where it knows the name, in the interviewer's where it does not. */
it.each([
  ['{"id":"r","answer":"refused","why":"once_only","reason":"x"}', 'that is there once for each question'],
  ['{"id":"r","answer":"refused","why":"new_reason","reason":"it is new"}', 'it is new'],
  ['{"id":"r","answer":"refused","why":7}', ''],
])('%s', (text, reason) => expect(decodeAnswer(bytes(text))?.reason).toBe(reason));
