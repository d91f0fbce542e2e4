/** The services of `contracts/`, each started with none or one of its errors. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { CORE_SCHEMA, load } from 'js-yaml';
import { freePort } from '../../../tools/postgres.ts';
import { pythonEnvironment } from '../../../tools/shell.ts';
import { createFunctions, KEY as FUNCTIONS_KEY } from '../contracts/functions/service.ts';
import { createOrders } from '../contracts/orders/service.ts';
import { createShapes } from '../contracts/shapes/service.ts';
import { createTasks, KEY as TASKS_KEY } from '../contracts/tasks/service.ts';
import { contractOf, CONTRACTS, errorsIn } from '../planted.ts';
import { listening, serve } from '../service.ts';

export interface Compared {
  /** In words, for the table. */
  style: string;
  /** An API key, and the header that has it. */
  key?: readonly [header: string, value: string];
  /** @param error the name of one of its errors, or nothing */
  start(error: string): Promise<{ url: string; close(): Promise<unknown> }>;
  /** The path of its contract; by default it is that of the folder in `contracts/`. A path of the service begins with a slash. */
  contract?: string;
}

/** With other versions, FastAPI generates another contract. */
export const FASTAPI = ['fastapi==0.165.0', 'uvicorn==0.54.0', 'python-multipart==0.0.34'] as const;

export const fastApiPython = async () =>
  join(await pythonEnvironment('fastapi-0.165.0', ...FASTAPI), 'bin/python');

const parsed = (name: string): unknown =>
  load(readFileSync(contractOf(name), 'utf8'), { schema: CORE_SCHEMA });
const is = (error: string) => (one: string) => one === error;

export const SERVICES: Readonly<Record<string, Compared>> = {
  tasks: {
    style: '3.0, plain Node',
    key: ['X-Key', TASKS_KEY],
    start: (error) => serve(createTasks(is(error))),
  },
  shapes: {
    style: '3.1 with links, plain Node',
    start: (error) => serve(createShapes(is(error))),
  },
  orders: {
    style: '3.0, Express and express-openapi-validator',
    start: async (error) => listening(createServer(createOrders(parsed('orders'), is(error)))),
  },
  library: {
    style: '3.1 as FastAPI generates it',
    contract: '/openapi.json',
    start: (error) => uvicorn(join(CONTRACTS, 'library'), 'service', { PLANTED: error }),
  },
  functions: {
    style: '3.1, functions without resources',
    key: ['X-Api-Key', FUNCTIONS_KEY],
    start: (error) => serve(createFunctions(parsed('functions'), is(error))),
  },
};

export function errorsOf(name: string): string[] {
  const path = ['ts', 'py']
    .map((end) => join(CONTRACTS, name, `service.${end}`))
    .find((one) => existsSync(one));
  return errorsIn(readFileSync(path!, 'utf8'));
}

/** The `app` of a module. @throws Error where it does not listen within a minute */
export async function uvicorn(folder: string, module: string, more: Record<string, string> = {}) {
  const python = await fastApiPython();
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const args = ['-m', 'uvicorn', '--app-dir', folder, `${module}:app`, '--port', port];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...more };
  const child = spawn(python, args, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const close = () => {
    child.kill('SIGKILL');
    return ended;
  };
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    if (await fetch(url).catch(() => undefined)) {
      return { url, close };
    }
    await setTimeout(100);
  }
  await close();
  throw new Error(`uvicorn ${args.join(' ')} does not listen`);
}
