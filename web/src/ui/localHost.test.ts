import { expect, it } from 'vitest';
import { isLocalHost } from './localHost';

it('knows the names of this machine, and takes no other for one', () => {
  for (const host of ['127.0.0.1', '127.1.2.3', 'localhost', '[::1]', 'vivavoce.localhost'])
    expect(isLocalHost(host), host).toBe(true);
  for (const host of ['10.0.0.1', 'localhost.example.org', '127.example.org', 'jobs.example.org'])
    expect(isLocalHost(host), host).toBe(false);
});
