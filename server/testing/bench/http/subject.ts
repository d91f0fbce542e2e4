/** A measured server: a process of its own, on a port of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageFolder } from '../../../contract.ts';
import { freePort } from '../../free-port.ts';
import { Connection } from './connection.ts';
import { TOKEN } from './scenarios.ts';
import type { Usage } from './subjects/usage-report.ts';

export interface Kind {
  name: string;
  /** Refuses what breaks the contract. */
  judges: boolean;
  /** Arguments of node. */
  command(port: number): string[];
  env?: Record<string, string>;
  /** Names of the scenarios that it is asked; left out: all. */
  only?: readonly string[];
}

export class Subject {
  readonly kind: Kind;
  readonly port: number;
  readonly #child: ChildProcess;
  /** When the process was spawned, by `performance.now()`. */
  readonly spawnedAt: number;

  private constructor(kind: Kind, port: number, logFile: string) {
    this.kind = kind;
    this.port = port;
    const log = openSync(logFile, 'a');
    this.spawnedAt = performance.now();
    this.#child = spawn(process.execPath, ['--import', REPORT, ...kind.command(port)], {
      // What it logs costs it a write to a file, as in production.
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        ...process.env,
        ...kind.env,
        API_TOKEN: TOKEN,
        PORT: String(port),
        NODE_OPTIONS: '',
      },
    });
    closeSync(log);
  }

  static async spawn(kind: Kind, logFile: string): Promise<Subject> {
    return new Subject(kind, await freePort(), logFile);
  }

  /** Waits until it listens. @throws Error when it ends before, or does not within a minute */
  async connect(): Promise<Connection> {
    for (const deadline = performance.now() + 60_000; performance.now() < deadline;) {
      if (this.#child.exitCode !== null) throw new Error(`${this.kind.name} ended with ${this.#child.exitCode}`);
      try {
        return await Connection.open(this.port);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    }
    throw new Error(`${this.kind.name} does not listen`);
  }

  async usage(): Promise<Usage> {
    const told = once(this.#child, 'message');
    this.#child.send('usage');
    return (await told)[0] as Usage;
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}

/** As `npm run build` made them. */
export const SUBJECTS = join(packageFolder(), 'dist', 'server', 'testing', 'bench', 'http', 'subjects');

const REPORT = pathToFileURL(join(SUBJECTS, 'usage-report.js')).href;
