import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { cached, run } from '../../shell.ts';
import type { RealService } from '../service.ts';

const VERSION = '6.0.0';
const PACKAGE = 'node_modules/@loopback/example-todo';

/** The first example of LoopBack, with numbers as ids and a file as its store. */
export const loopback: RealService = {
  name: 'loopback',
  title: `@loopback/example-todo ${VERSION}`,
  needs: ['npm'],
  install: () =>
    cached(`loopback-example-todo-${VERSION}`, (to) => {
      const quiet = ['--silent', '--ignore-scripts', '--no-audit', '--no-fund'];
      const args = ['install', '--prefix', to, ...quiet, `@loopback/example-todo@${VERSION}`];
      return run({ command: 'npm', args });
    }),
  async prepare({ installed, data }) {
    cpSync(join(installed, PACKAGE, 'data'), join(data, 'data'), { recursive: true });
  },
  program: ({ installed, port }) => ({
    command: process.execPath,
    args: [join(installed, PACKAGE)],
    env: { HOST: '127.0.0.1', PORT: String(port) },
  }),
  readyPath: '/todos',
  contract: { path: '/openapi.json' },
  async makeExisting(send) {
    const todo = (await send('POST', '/todos', { title: 'kept' })) as { id: number };
    return { 'a todo': `/todos/${todo.id}` };
  },
};
