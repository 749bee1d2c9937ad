import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Scripts and styles are kept packed, in the program and on the way: a third of their size. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  writeBundle({ dir = 'dist' }) {
    const assets = join(dir, 'assets');
    for (const name of readdirSync(assets)) {
      const file = join(assets, name);
      writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
      rmSync(file);
    }
  },
};

/**
 * The page's parts are downloaded while it is found out in which language it is. They are loaded only then, because they
 * take their texts as soon as they are.
 */
const early: Plugin = {
  name: 'early',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(_, { bundle = {} }) {
      const app = Object.values(bundle).find(
        (part) => part.type === 'chunk' && part.facadeModuleId?.endsWith('/app.tsx'),
      );
      if (app?.type !== 'chunk') throw new Error('src/app.tsx is no part of its own any more: see src/main.tsx');
      return [app.fileName, ...app.imports].map((file) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${file}` },
        injectTo: 'head',
      }));
    },
  },
};

export default defineConfig({
  plugins: [react(), packed, early],
  build: {
    // The stylesheet needs light-dark(), :has() and dialog: what has them needs no older JavaScript either.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // livekit-client alone has 0.6 MB, loaded only once a candidate starts.
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/api': process.env.VIVAVOCE_API ?? 'http://127.0.0.1:8080' } },
  test: { include: ['src/**/*.test.ts'], setupFiles: ['src/texts/forTests.ts'] },
});
