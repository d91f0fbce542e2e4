import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['server/**/*.test.ts', 'conformance/**/*.test.ts', 'docs/**/*.test.ts', 'clients/**/*.test.ts'],
    // Most of the time goes into waiting for services: more files at once than cores is right.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
