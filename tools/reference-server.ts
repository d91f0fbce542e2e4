/** The reference server in its own process, as `npm run build` built it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandError } from './shell.ts';

export interface StartOptions {
  args: string[];
  env?: Record<string, string>;
  execArgv?: string[];
  /**
   * Another program that prints its address in the same way; by default, the server of this
   * repository.
   */
  main?: string;
  /** The log is read and not kept; `stdout()` is empty then. */
  stdout?: 'discard';
}

export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** The log so far. */
  stdout(): string;
  stderr(): string;
  runs(): boolean;
  /**
   * Sends the signal and waits until the process is gone.
   * @returns the exit code; null after SIGKILL
   */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

export interface ReferenceServer extends ServerProcess, AsyncDisposable {}

/** This file runs from the sources and from dist/tools. */
const IS_SOURCE = import.meta.filename.endsWith('.ts');
const DIST = join(import.meta.dirname, '..', IS_SOURCE ? 'dist' : '');

export const SERVER_MAIN = join(DIST, 'server', 'main.js');

/** The output of the server when it listens: three lines, of which the first has the address. */
const ANNOUNCEMENT = /^API {3}(\S+).*\n.*\n.*\n/m;

/**
 * Starts it on a free port and waits for its address.
 * @throws {CommandError} with its stderr, if it ends before
 */
export async function startServer(options: StartOptions): Promise<ServerProcess> {
  const { args, execArgv = [], main = SERVER_MAIN } = options;
  const env = { ...process.env, ...options.env };
  const command = [...execArgv, main, '--port', '0', ...args];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    if (options.stdout !== 'discard') {
      stdout += chunk;
    }
  });
  const gone = once(child, 'close') as Promise<[number | null]>;
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk) => {
      stderr += chunk;
      const [, found] = ANNOUNCEMENT.exec(stderr) ?? [];
      if (found !== undefined) {
        resolve(found);
      }
    });
    void gone.then(([code]) => {
      reject(new CommandError(`the server ended with ${code}: ${stderr.trim()}`));
    });
  });
  return {
    url,
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    runs: () => child.exitCode === null && child.signalCode === null,
    async end(signal) {
      child.kill(signal);
      const [code] = await gone;
      return code;
    },
  };
}

/**
 * Starts the server with a data folder, which is removed when the server is disposed.
 * @param token by default, the server runs open @throws {CommandError} as `startServer` does
 */
export async function startReferenceServer(
  token?: string,
  more: Partial<StartOptions> = {},
): Promise<ReferenceServer> {
  const data = mkdtempSync(join(tmpdir(), 'edge-reference-server-'));
  const removeData = () => rmSync(data, { recursive: true, force: true });
  const env: Record<string, string> = { DATABASE_URL: '' };
  if (token !== undefined) {
    // By the environment, as in production: other users can see arguments.
    env['API_TOKEN'] = token;
  }
  Object.assign(env, more.env);
  const args = ['--data-dir', data, '--log-level', 'silent', ...(more.args ?? [])];
  try {
    const server = await startServer({ ...more, args, env });
    return {
      ...server,
      async [Symbol.asyncDispose]() {
        await server.end('SIGTERM');
        removeData();
      },
    };
  } catch (error) {
    removeData();
    throw error;
  }
}
