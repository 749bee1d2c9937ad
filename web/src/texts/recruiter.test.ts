import { expect, it } from 'vitest';
import { en } from './en';
import { recruiter } from './recruiter';

/** Both files have sections, and of two with the same name one would be lost. */
it('no section of the recruiter’s texts is overwritten by another', () => {
  for (const [name, texts] of Object.entries(recruiter)) expect(en[name as keyof typeof en], name).toBe(texts);
});
