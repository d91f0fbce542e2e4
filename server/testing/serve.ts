/** The application on a free port, with a store in memory. */
import { Agent } from 'node:http';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { type AppOptions, createApp } from '../app.ts';
import { readContract } from '../contract.ts';
import { createTokens } from '../http/security/tokens.ts';
import { createIds } from '../ids.ts';
import { expressClasses } from '../http/express-classes.ts';
import { listen } from '../listen.ts';
import { createMemoryStore } from '../store/memory.ts';
import type { Store } from '../store/store.ts';
import { type Answer, send, type Sending } from './send.ts';

export type Service = Awaited<ReturnType<typeof start>>;

export const contract = readContract();

const ALONE = new Agent({ keepAlive: false });

export interface ServeOptions extends Partial<AppOptions> {
  /** In place of `tokens`: one token, which permits everything. */
  token?: string;
}

/** Serves until the test ends. */
export async function serveApp(options: ServeOptions = {}): Promise<Service> {
  const service = await start(options);
  onTestFinished(service.close);
  return service;
}

/**
 * One service for all tests of a file, for tests that do not affect each other: starting one takes
 * time.
 */
export function serveForFile(options: ServeOptions = {}): Pick<Service, 'send'> {
  let service: Service;
  beforeAll(async () => {
    service = await start(options);
  });
  afterAll(() => service.close());
  return { send: (sending) => service.send(sending) };
}

async function start({ token, ...options }: ServeOptions) {
  const logged: Record<string, unknown>[] = [];
  const write = (line: string) => logged.push(JSON.parse(line) as Record<string, unknown>);
  const app = await createApp({
    contract,
    store: createMemoryStore(),
    newId: createIds(),
    tokens: token === undefined ? undefined : createTokens([{ text: token, readOnly: false }]),
    publicUrl: undefined,
    docsFile: '/nowhere',
    validateResponses: true,
    ...options,
    log: pino({ level: 'debug' }, { write }),
  });
  const listening = await listen(app, 0, '127.0.0.1', { classes: expressClasses(app) });
  return {
    close: () => listening.close(0),
    url: listening.url,
    logged,
    // On a new connection: the server may close an idle one at the moment at which it is used
    // again.
    send: async (sending: Sending) =>
      checkProblem(await send(listening.url, { agent: ALONE, ...sending })),
  };
}

const PROBLEM_TYPE = /^application\/problem\+json/;
const STACK_TRACE = /node_modules|\.ts:|at \w+ \(/;

/**
 * That an error is a problem with the status of the response. That it has its schema,
 * `validateResponses` shows.
 */
function checkProblem(answer: Answer): Answer {
  if (answer.status < 400 || answer.text === '') {
    return answer;
  }
  expect(answer.headers['content-type']).toMatch(PROBLEM_TYPE);
  expect(answer.json.status).toBe(answer.status);
  expect(answer.text).not.toMatch(STACK_TRACE);
  return answer;
}

/** A store whose records cannot be read or written: every call fails with the error. */
export function failingStore(error: Error): Store {
  const fail = () => Promise.reject(error);
  const records = { get: fail, list: fail, count: fail, create: fail, update: fail, replace: fail };
  return { ...createMemoryStore(), edges: records, subscriptions: records, check: fail };
}
