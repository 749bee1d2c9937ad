import { expect, it } from 'vitest';
import { refusal } from './useMicrophone';

/** C01: each reason for which a microphone does not open is told apart, because each is mended in another way. */
it.each([
  ['NotAllowedError', 'blocked'],
  ['SecurityError', 'blocked'],
  ['NotFoundError', 'missing'],
  ['OverconstrainedError', 'missing'],
  ['NotReadableError', 'busy'],
  ['AbortError', 'busy'],
  ['InsecureContextError', 'insecure'],
  ['TypeError', 'failed'],
])('%s is %s', (name, kind) => {
  expect(refusal(new DOMException('why', name)).kind).toBe(kind);
});
