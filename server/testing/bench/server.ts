/** A measured server: any command that serves the API on a port that it is given, in a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../contract.ts';
import { freePort } from '../../../tools/postgres.ts';
import { send } from '../send.ts';
import { EDGE, HEADERS, TOKEN } from './scenarios.ts';
import type { Usage } from './subjects/usage-report.ts';

export interface Candidate {
  name: string;
  /** Arguments of node. `folder` is an empty one, for what the server keeps. */
  command(port: number, folder: string): string[];
  env?: Record<string, string>;
}

export interface Server {
  name: string;
  url: string;
  /** From the spawn of the process to its first good response. */
  readyMs: number;
  /** CPU time of the process until then, in microseconds. */
  readyCpuMicros: number;
  usage(): Promise<Usage>;
  end(): Promise<void>;
}

/**
 * @param folder for what it keeps and logs
 * @throws Error with the end of its log, when it does not give a good response within a minute
 */
export async function startServer({ name, command, env }: Candidate, folder: string): Promise<Server> {
  const port = await freePort();
  const home = mkdtempSync(join(folder, 'server-'));
  const logFile = join(home, 'log');
  const log = openSync(logFile, 'a');
  const spawnedAt = performance.now();
  const child = spawn(process.execPath, ['--import', REPORT, ...command(port, join(home, 'data'))], {
    // What it logs costs it a write to a file, as for those who keep their logs.
    stdio: ['ignore', log, log, 'ipc'],
    env: { ...process.env, ...SETTINGS, ...env, PORT: String(port) },
  });
  closeSync(log);
  const gone = once(child, 'exit');
  const end = async (): Promise<void> => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 5000);
    await gone;
    clearTimeout(late);
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await ready(url, child, spawnedAt + 60_000);
  } catch (error) {
    await end();
    throw new Error(`${name}: ${(error as Error).message}\n${readFileSync(logFile, 'utf8').slice(-2000)}`, {
      cause: error,
    });
  }
  const readyMs = performance.now() - spawnedAt;
  const usage = () => usageOf(child);
  return { name, url, readyMs, readyCpuMicros: (await usage()).cpuMicros, usage, end };
}

/** Settings of our server that the environment of the user must not change; others do not look at them. */
const SETTINGS = { API_TOKEN: TOKEN, DATABASE_URL: '', DATA_DIR: '', VALIDATE_RESPONSES: '', NODE_OPTIONS: '' };

async function ready(url: string, child: ChildProcess, deadline: number): Promise<void> {
  for (;;) {
    try {
      const { status, text } = await send(url, { method: 'POST', path: '/edges/https', headers: HEADERS, body: EDGE });
      if (status === 201) return;
      throw new Error(`it answered ${status}: ${text.slice(0, 500)}`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ECONNREFUSED') throw error;
    }
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error('it does not listen');
    await pause(5);
  }
}

async function usageOf(child: ChildProcess): Promise<Usage> {
  const reported = once(child, 'message');
  child.send('usage');
  return (await reported)[0] as Usage;
}

/** As they were built. */
export const SUBJECTS = join(packageFolder(), 'dist', 'server', 'testing', 'bench', 'subjects');

const REPORT = pathToFileURL(join(SUBJECTS, 'usage-report.js')).href;
