/** The reference server as a process of its own, as `npm run build` made it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './shell.ts';

export interface StartOptions {
  args: string[];
  env?: Record<string, string>;
  execArgv?: string[];
  /** Another program that announces itself in the same way; the server of this repository when omitted. */
  main?: string;
  /** The log is read and not kept; `stdout()` is empty then. */
  stdout?: 'discard';
}

/** This file runs from dist/tools, too. */
const DIST = join(import.meta.dirname, '..', import.meta.filename.endsWith('.ts') ? 'dist' : '');

export const SERVER_MAIN = join(DIST, 'server', 'main.js');

/** Starts it on a free port and waits for its address. @throws {CommandError} with its stderr, if it ends before */
export async function startServer(options: StartOptions) {
  const { args, execArgv = [], main = SERVER_MAIN } = options;
  const env = { ...process.env, ...options.env };
  const command = [...execArgv, main, '--port', '0', ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += options.stdout === 'discard' ? '' : chunk));
  const gone = once(child, 'close') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      const found = /^API {3}(\S+).*\n.*\n.*\n/m.exec(stderr)?.[1];
      if (found) {
        resolve(found);
      }
    });
    void gone.then(([code]) =>
      reject(new CommandError(`the server ended with ${code}: ${stderr.trim()}`)),
    );
  });
  return {
    url,
    child,
    /** The log so far. */
    stdout: () => stdout,
    stderr: () => stderr,
    runs: () => child.exitCode === null && child.signalCode === null,
    /** Sends the signal and returns the exit code, null after SIGKILL, once the process is gone. */
    end: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      return (await gone)[0];
    },
  };
}

export type ServerProcess = Awaited<ReturnType<typeof startServer>>;
export type ReferenceServer = Awaited<ReturnType<typeof startReferenceServer>>;

/** The same with a data folder that is removed at its disposal, and with a required token, if any. @throws as above */
export async function startReferenceServer(token?: string, more: Partial<StartOptions> = {}) {
  const data = mkdtempSync(join(tmpdir(), 'edge-reference-server-'));
  const remove = () => rmSync(data, { recursive: true, force: true });
  try {
    // The token by the environment, as in production: others can see arguments.
    const env = {
      DATABASE_URL: '',
      ...(token === undefined ? {} : { API_TOKEN: token }),
      ...more.env,
    };
    const args = ['--data-dir', data, '--log-level', 'silent', ...(more.args ?? [])];
    const server = await startServer({ ...more, args, env });
    const dispose = async () => {
      await server.end('SIGTERM');
      remove();
    };
    return { ...server, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    remove();
    throw error;
  }
}
