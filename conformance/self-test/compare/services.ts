/** The services of `contracts/`, each of which can be started with one of its errors. */
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
import { contractOf, CONTRACTS, errorsIn, type Planted } from '../planted.ts';
import { type Listening, listening, serve } from '../service.ts';

/** An API key, and the header that has it. */
export interface ApiKey {
  header: string;
  value: string;
}

export interface ComparedService {
  /** In words, for the table. */
  style: string;
  key?: ApiKey;
  /** @param error the name of one of its errors; empty for none */
  start(error: string): Promise<Listening>;
  /**
   * The path at which the service shows its contract; by default, the contract is that of its
   * folder in `contracts/`.
   */
  contractPath?: string;
}

/** With other versions, FastAPI generates another contract. */
export const FASTAPI_VERSION = '0.165.0';
const FASTAPI = [`fastapi==${FASTAPI_VERSION}`, 'uvicorn==0.54.0', 'python-multipart==0.0.34'];

/** The path of a Python program that has FastAPI. */
export async function fastApiPython(): Promise<string> {
  const environment = await pythonEnvironment(`fastapi-${FASTAPI_VERSION}`, ...FASTAPI);
  return join(environment, 'bin/python');
}

function parsedContract(name: string): unknown {
  return load(readFileSync(contractOf(name), 'utf8'), { schema: CORE_SCHEMA });
}

const only =
  (error: string): Planted =>
  (one) =>
    one === error;

async function startOrders(error: string): Promise<Listening> {
  const app = createOrders(parsedContract('orders'), only(error));
  return listening(createServer(app));
}

async function startFunctions(error: string): Promise<Listening> {
  return serve(createFunctions(parsedContract('functions'), only(error)));
}

export const SERVICES: Readonly<Record<string, ComparedService>> = {
  tasks: {
    style: '3.0, plain Node',
    key: { header: 'X-Key', value: TASKS_KEY },
    start: (error) => serve(createTasks(only(error))),
  },
  shapes: {
    style: '3.1 with links, plain Node',
    start: (error) => serve(createShapes(only(error))),
  },
  orders: {
    style: '3.0, Express and express-openapi-validator',
    start: startOrders,
  },
  library: {
    style: '3.1 as FastAPI generates it',
    contractPath: '/openapi.json',
    start: (error) => uvicorn(join(CONTRACTS, 'library'), 'service', { PLANTED: error }),
  },
  functions: {
    style: '3.1, functions without resources',
    key: { header: 'X-Api-Key', value: FUNCTIONS_KEY },
    start: startFunctions,
  },
};

/** @throws Error for a name that is not in `SERVICES` */
export function serviceNamed(name: string): ComparedService {
  const service = SERVICES[name];
  if (!service) {
    throw new Error(`there is no service ${name}`);
  }
  return service;
}

/** The names of the errors of a service. */
export function errorsOf(name: string): string[] {
  const typescript = join(CONTRACTS, name, 'service.ts');
  const python = join(CONTRACTS, name, 'service.py');
  const source = existsSync(typescript) ? typescript : python;
  return errorsIn(readFileSync(source, 'utf8'));
}

/** How often a service is asked whether it listens: for a minute. */
const ATTEMPTS = 600;
const BETWEEN_ATTEMPTS_MS = 100;

/** Starts the `app` of a Python module. @throws Error if it does not listen within a minute */
export async function uvicorn(
  folder: string,
  module: string,
  environment: Record<string, string> = {},
): Promise<Listening> {
  const python = await fastApiPython();
  const port = String(await freePort());
  const url = `http://127.0.0.1:${port}`;
  const args = ['-m', 'uvicorn', '--app-dir', folder, `${module}:app`, '--port', port];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...environment };
  const child = spawn(python, args, { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  for (let attempt = 1; attempt <= ATTEMPTS && child.exitCode === null; attempt++) {
    if (await responds(url)) {
      return { url, close };
    }
    await setTimeout(BETWEEN_ATTEMPTS_MS);
  }
  await close();
  throw new Error(`uvicorn ${args.join(' ')} does not listen`);
}

async function responds(url: string): Promise<boolean> {
  try {
    await fetch(url);
    return true;
  } catch {
    return false;
  }
}
