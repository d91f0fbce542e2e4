/** The server as a process of its own, as `npm run build` made it. For tests, faults and measurements. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { packageFolder } from '../contract.ts';

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** The log so far. */
  stdout(): string;
  stderr(): string;
  /** False once the process is gone. */
  runs(): boolean;
  /** Sends the signal and gives the exit code, null after SIGKILL, once the process is gone. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface StartOptions {
  args: string[];
  env?: Record<string, string>;
  /** Flags of node itself. */
  execArgv?: string[];
}

export const SERVER_MAIN = join(packageFolder(), 'dist', 'server', 'main.js');

/**
 * Starts it on a free port and waits until it says where it listens.
 * @throws Error with what it wrote to stderr, when it ends before that
 */
export async function startServer({ args, env = {}, execArgv = [] }: StartOptions): Promise<ServerProcess> {
  const child = spawn(process.execPath, [...execArgv, SERVER_MAIN, '--port', '0', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  const gone = once(child, 'close') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      const found = /^API {3}(\S+).*\n.*\n.*\n/m.exec(stderr)?.[1];
      if (found) resolve(found);
    });
    void gone.then(([code]) => reject(new Error(`the server ended with ${code}: ${stderr.trim()}`)));
  });
  return {
    url,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    runs: () => child.exitCode === null && child.signalCode === null,
    end: async (signal) => {
      child.kill(signal);
      return (await gone)[0];
    },
  };
}
