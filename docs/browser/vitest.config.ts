import { defineConfig } from 'vitest/config';

/** Apart from `npm test`, which needs nothing but Node: these files need Chromium, too. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['docs/browser/**/*.browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
