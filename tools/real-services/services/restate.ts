import { join } from 'node:path';
import { cached, run } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '1.7.12';
const PACKAGE = '@restatedev/restate-server';

/** Deployments, services and invocations of durable functions: Rust, axum. */
export const restate: RealService = {
  name: 'restate',
  title: `Restate ${VERSION}`,
  needs: ['npm'],
  install: () =>
    cached(`restate-${VERSION}`, (to) => {
      const quiet = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund'];
      const args = ['install', '--prefix', to, ...quiet, `${PACKAGE}@${VERSION}`];
      return run({ command: 'npm', args });
    }),
  program: ({ installed, data, port }) => ({
    command: join(installed, 'node_modules/.bin/restate-server'),
    args: ['--base-dir', join(data, 'store'), '--listen-mode', 'tcp', '--use-random-ports', 'true'],
    env: { RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${port}`, DO_NOT_TRACK: '1' },
  }),
  readyPath: '/health',
  contract: { path: '/openapi' },
  async makeExisting() {
    return { services: '/services' };
  },
};
