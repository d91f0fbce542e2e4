/** Brings a service back that has stopped: by a command of the user, or by waiting for somebody. */
import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../engine/http/client.ts';
import { waitForService } from './clients.ts';
import type { Options } from './options.ts';

type Waiting = Pick<Options, 'restart' | 'waitSeconds'>;

/** For the command, and for the first response after it. */
const MOST_SECONDS = 60;

/**
 * @param client makes a client that waits
 * @returns undefined if the user gives neither a command nor a time
 */
export function bringingBack(
  { restart, waitSeconds }: Waiting,
  cwd: string,
  client: () => Client,
): ((signal: AbortSignal) => Promise<string | undefined>) | undefined {
  if (restart === undefined && waitSeconds === 0) {
    return undefined;
  }
  return async (signal) => {
    const end = performance.now() + MOST_SECONDS * 1000;
    const failure = restart === undefined ? undefined : await runShell(restart, cwd, signal);
    if (failure !== undefined) {
      return `--restart ${failure}.`;
    }
    const left = restart === undefined ? 0 : (end - performance.now()) / 1000;
    await waitForService(client(), { waitSeconds: Math.max(waitSeconds, left) }, signal);
    return undefined;
  };
}

/**
 * Runs a command by the shell, without its output. What it leaves running goes on.
 * @returns how it failed, as the end of a sentence; undefined if it did not
 */
async function runShell(
  command: string,
  cwd: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  // In a group of its own: a service that it starts does not end with this run.
  const child = spawn(command, { shell: true, cwd, detached: true, stdio: 'ignore' });
  const ended = new Promise<string | undefined>((resolve) => {
    child.once('error', (error) => resolve(`cannot be run: ${error.message}`));
    child.once('exit', (code, name) => resolve(code === 0 ? undefined : endInWords(code, name)));
  });
  const timer = new AbortController();
  const isLate = sleep(MOST_SECONDS * 1000, 'is late' as const, { signal: timer.signal });
  const isOver = new Promise<'is over'>((resolve) => {
    signal.addEventListener('abort', () => resolve('is over'), { signal: timer.signal });
  });
  const first = await Promise.race([ended, isLate.catch(() => undefined), isOver]);
  timer.abort();
  if (first === 'is late' || first === 'is over') {
    killGroup(child);
    if (first === 'is late') {
      return `took longer than ${MOST_SECONDS} s`;
    }
    return 'was ended with the run';
  }
  child.unref();
  return first;
}

const endInWords = (code: number | null, name: string | null): string => {
  if (code === null) {
    return `ended by ${name}`;
  }
  return `failed with exit code ${code}`;
};

function killGroup({ pid, kill }: ChildProcess): void {
  try {
    if (pid !== undefined) {
      process.kill(-pid, 'SIGKILL');
    }
  } catch {
    kill('SIGKILL');
  }
}
