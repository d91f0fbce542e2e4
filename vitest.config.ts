import { defineConfig } from 'vitest/config';

const FOLDERS = '{clients,conformance,docs,server,tools}';
/** They need more than Node and npm: each has its own step in .ci/steps. */
const BROWSER = 'docs/site/browser/**/*.e2e.test.ts';
const GO = 'docs/site/breaking/**/*.e2e.test.ts';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: [`${FOLDERS}/**/*.test.ts`],
          exclude: ['**/*.e2e.test.ts'],
          // They start nothing and change nothing global: sharing a worker saves a third of the CPU
          // time.
          isolate: false,
          // Half of their time they wait: for a second to pass, or for a service that is slow.
          maxWorkers: 4,
          // A busy machine takes its time; no test is about that.
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: [`${FOLDERS}/**/*.e2e.test.ts`],
          exclude: [BROWSER, GO],
          maxWorkers: 3,
          // Some run all commands of a guide, one of which tests a service at both levels.
          testTimeout: 900_000,
          hookTimeout: 300_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: [BROWSER],
          maxWorkers: 2,
          // A busy machine takes its time to render; no test is about that.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          expect: { poll: { timeout: 60_000 } },
        },
      },
      { test: { name: 'go', include: [GO], testTimeout: 60_000, hookTimeout: 300_000 } },
    ],
  },
});
