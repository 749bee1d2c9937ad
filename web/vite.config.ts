import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react()],
  build: {
    // The stylesheet needs light-dark(), :has() and dialog: what has them needs no older JavaScript either.
    target: ['chrome123', 'firefox128', 'safari17.5'],
    // livekit-client alone has 0.6 MB, loaded only once a candidate starts.
    chunkSizeWarningLimit: 1000,
  },
  server: { proxy: { '/api': 'http://127.0.0.1:8080' } },
  test: { include: ['src/**/*.test.ts'] },
});
