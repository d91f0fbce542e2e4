/** A service of others: how it is installed and started, and what it has before a run. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { CommandError } from '../shell.ts';
import { atExit } from './at-exit.ts';

/** The folders and the port of a service that runs. */
export interface Place {
  /** The folder that `install` returned. */
  installed: string;
  /** An empty folder for its data. */
  data: string;
  port: number;
}

export interface Program {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

/** An API key, and the header that has it. */
export interface Credentials {
  header: string;
  value: string;
  /** Whether the contract has a security scheme for it. */
  hasScheme: boolean;
}

/** Sends a request to the service. @returns the JSON of the response @throws Error unless 2xx */
export type Send = (method: string, path: string, body?: unknown) => Promise<unknown>;

/** A read by POST, and the member of the response that has the thing. */
export interface ReadByPost {
  path: string;
  body: unknown;
  member: string;
}

/** The path of a GET, or a read by POST. */
export type Reading = string | ReadByPost;

/** The things that a service has before a run: for each, in words, how it is read. */
export type Existing = Readonly<Record<string, Reading>>;

/** The thing as the service has it. @throws Error unless 2xx */
export async function readThing(send: Send, reading: Reading): Promise<unknown> {
  if (typeof reading === 'string') {
    return send('GET', reading);
  }
  const { path, body, member } = reading;
  const response = (await send('POST', path, body)) as Record<string, unknown>;
  return response[member];
}

/** In words, for the terminal. */
export function placeOf(reading: Reading): string {
  if (typeof reading === 'string') {
    return reading;
  }
  return `POST ${reading.path}`;
}

export interface RealService {
  /** As on the command line. */
  name: string;
  /** With its version, for the table. */
  title: string;
  /** The programs that must be on the PATH. */
  needs: readonly string[];
  /** Installs it once. @returns the folder that has it */
  install(): Promise<string>;
  /** Writes into the data folder what the program needs before it starts. */
  prepare?(place: Place): Promise<void>;
  program(place: Place): Program;
  /** A path that responds with 2xx when the service is ready. */
  readyPath: string;
  /** The contract is served at this path, or is a file below the installed folder. */
  contract: { path: string } | { file(installed: string): string };
  /** The base path, if the contract does not state it. */
  basePath?: string;
  credentials?: Credentials;
  /** Makes what a run must leave as it is. */
  makeExisting(send: Send): Promise<Existing>;
}

export interface RunningService {
  url: string;
  send: Send;
  runs(): boolean;
  /** Is resolved when the process has ended. */
  ended: Promise<void>;
  /** Ends the process and all that it started. */
  stop(): Promise<void>;
}

const READY_SECONDS = 300;
const BETWEEN_ATTEMPTS_MS = 250;

/**
 * Starts an installed service, and waits until it responds. Its output goes to `service.log` in the
 * data folder.
 * @throws {CommandError} with the end of that file, if it ends before or does not respond
 */
export async function startService(service: RealService, place: Place): Promise<RunningService> {
  await service.prepare?.(place);
  const { command, args, env } = service.program(place);
  const logFile = join(place.data, 'service.log');
  const log = openSync(logFile, 'a');
  const child = spawn(command, args, {
    cwd: place.data,
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
    // The process and its children are one group, which ends as a whole.
    detached: true,
  });
  closeSync(log);
  let spawnError = '';
  const ended = new Promise<void>((resolve) => {
    child.on('exit', () => resolve());
    child.on('error', (error) => {
      spawnError = error.message;
      resolve();
    });
  });
  const url = `http://127.0.0.1:${place.port}`;
  // Also if this process is stopped before the service has started.
  const forget = atExit(() => signalGroup(child, 'SIGKILL'));
  const runs = () => spawnError === '' && child.exitCode === null && child.signalCode === null;
  const stop = async () => {
    await stopGroup(child);
    forget();
  };
  const send = senderTo(url, service.credentials);
  const deadline = performance.now() + READY_SECONDS * 1000;
  while (runs() && performance.now() < deadline) {
    if (await responds(send, service.readyPath)) {
      return { url, send, runs, ended, stop };
    }
    await pause(BETWEEN_ATTEMPTS_MS);
  }
  await stop();
  const end = readFileSync(logFile, 'utf8').slice(-2000);
  throw new CommandError(`${service.name} does not respond: ${spawnError}${end}`);
}

async function responds(send: Send, path: string): Promise<boolean> {
  try {
    await send('GET', path);
    return true;
  } catch {
    return false;
  }
}

/** A service may hang, after what a tool sent. */
const RESPONSE_MS = 20_000;

function senderTo(url: string, credentials: Credentials | undefined): Send {
  return async (method, path, body) => {
    const headers = new Headers();
    if (credentials) {
      headers.set(credentials.header, credentials.value);
    }
    const init: RequestInit = { method, headers, signal: AbortSignal.timeout(RESPONSE_MS) };
    if (body !== undefined) {
      headers.set('content-type', 'application/json');
      init.body = JSON.stringify(body);
    }
    const response = await fetch(url + path, init);
    const text = await response.text();
    if (!response.ok) {
      throw new CommandError(`${method} ${path} returned ${response.status}: ${text}`);
    }
    return parsed(text);
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const STOP_MS = 5000;

async function stopGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    signalGroup(child, 'SIGTERM');
    await Promise.race([ended, pause(STOP_MS)]);
  }
  signalGroup(child, 'SIGKILL');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) {
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // No process of the group is left.
  }
}
