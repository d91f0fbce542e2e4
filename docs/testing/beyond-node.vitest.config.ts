import { defineConfig } from 'vitest/config';

/** Apart from `npm test`, which needs nothing but Node: these files need a browser or Go, too. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['docs/**/*.beyond.ts'],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
});
