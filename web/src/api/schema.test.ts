import { readFileSync } from 'node:fs';
import openapiTS, { astToString, COMMENT_HEADER } from 'openapi-typescript';
import { expect, it } from 'vitest';

/** U09: the client's types are those of the committed OpenAPI document. `npm run generate-api` writes them anew. */
it('schema.d.ts is made from openapi.json', async () => {
  const document = new URL('../../openapi.json', import.meta.url);
  const made = COMMENT_HEADER + astToString(await openapiTS(document));
  expect(readFileSync(new URL('./schema.d.ts', import.meta.url), 'utf8')).toBe(made);
});
