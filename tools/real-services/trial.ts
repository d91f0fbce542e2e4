/** One run of a tool against a service with fresh data, and what it did. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { CommandError } from '../shell.ts';
import { atExit } from './at-exit.ts';
import { type Contract, nameOf, readContract } from './contract.ts';
import { startRecordingProxy } from './recording-proxy.ts';
import { type Existing, readThing, type RealService, type Send } from './service.ts';
import { start } from './start.ts';
import type { Tool, ToolCommand } from './tools.ts';

/** How often each status came, by the name of the operation. */
export type Counts = Record<string, Record<string, number>>;

export interface Outcome {
  /** The number of operations that the contract has. */
  operations: number;
  counts: Counts;
  requests: number;
  seconds: number;
  /** The things that existed before and are not as they were. */
  harmed: Harm[];
  /** The folder with what the tool reports. */
  reports: string;
}

export interface Harm {
  /** In words. */
  thing: string;
  before: string;
  after: string;
}

export interface Settings {
  /** The limit that the tool gets. */
  seconds: number;
  /** How much longer it may take to finish what it has begun, and to write its reports. */
  graceSeconds: number;
  seed: number;
  /** Has a folder for each service, and in it one for each tool. Older reports are replaced. */
  reports: string;
}

/** @throws {CommandError} if the service or the tool does not start */
export async function attempt(
  service: RealService,
  tool: Tool,
  { seconds, graceSeconds, seed, reports }: Settings,
): Promise<Outcome> {
  const output = join(reports, service.name, tool.name);
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const started = await start(service);
  const contract = readContract(readFileSync(started.contract, 'utf8'), service.basePath);
  const recording = new Recording(contract);
  const proxy = await startRecordingProxy(started.url, recording.record);
  try {
    const before = await snapshot(started.send, started.existing);
    const command = await tool.command({
      service,
      url: proxy.url,
      contract: started.contract,
      basePath: contract.basePath,
      seconds,
      seed,
      output,
    });
    const took = await runLimited(command, output, { seconds, graceSeconds });
    const after = await snapshot(started.send, started.existing);
    const outcome: Outcome = {
      operations: contract.operations.length,
      counts: recording.counts,
      requests: recording.requests,
      seconds: took,
      harmed: started.runs() ? differences(before, after) : [ENDED],
      reports: output,
    };
    writeFileSync(join(output, 'outcome.json'), `${JSON.stringify(outcome, null, 2)}\n`);
    return outcome;
  } finally {
    await proxy.close();
    await started.stop();
  }
}

class Recording {
  readonly counts: Counts = {};
  requests = 0;
  readonly #contract: Contract;

  constructor(contract: Contract) {
    this.#contract = contract;
  }

  readonly record = (method: string, path: string, status: number): void => {
    this.requests++;
    const operation = this.#contract.find(method, path);
    if (operation === undefined) {
      return;
    }
    const ofOperation = (this.counts[nameOf(operation)] ??= {});
    ofOperation[status] = (ofOperation[status] ?? 0) + 1;
  };
}

/** Each thing as it is read, by its name. */
type Snapshot = Map<string, unknown>;

async function snapshot(send: Send, existing: Existing): Promise<Snapshot> {
  const read: Snapshot = new Map();
  for (const [thing, reading] of Object.entries(existing)) {
    // A thing that cannot be read is not as it was.
    const value = await readThing(send, reading).catch(String);
    read.set(thing, value);
  }
  return read;
}

const ENDED: Harm = { thing: 'the service', before: 'runs', after: 'has ended' };

function differences(before: Snapshot, after: Snapshot): Harm[] {
  const harmed: Harm[] = [];
  for (const [thing, value] of before) {
    const later = after.get(thing);
    // The order of members may change from one response to the next.
    if (!isDeepStrictEqual(later, value)) {
      harmed.push({ thing, before: JSON.stringify(value), after: JSON.stringify(later) });
    }
  }
  return harmed;
}

/**
 * Runs a tool, and stops it if it takes too long. Its output goes to `output.txt`.
 * @returns the seconds that it took @throws {CommandError} if it does not start
 */
async function runLimited(
  { command, args, env }: ToolCommand,
  folder: string,
  { seconds, graceSeconds }: Pick<Settings, 'seconds' | 'graceSeconds'>,
): Promise<number> {
  const log = openSync(join(folder, 'output.txt'), 'w');
  const started = performance.now();
  const child = spawn(command, args, {
    // Outside the checkout, whose settings are for the reference server.
    cwd: tmpdir(),
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const forget = atExit(() => child.kill('SIGKILL'));
  const over = new AbortController();
  const ended = new Promise<void>((resolve, reject) => {
    child.on('exit', () => resolve());
    child.on('error', (error) => {
      reject(new CommandError(`${command} cannot be started: ${error.message}`));
    });
  });
  const stopLate = async () => {
    const { signal } = over;
    await pause((seconds + graceSeconds) * 1000, undefined, { signal });
    child.kill('SIGINT');
    await pause(graceSeconds * 1000, undefined, { signal });
    child.kill('SIGKILL');
  };
  void stopLate().catch(() => {});
  await ended.finally(() => {
    over.abort();
    forget();
  });
  return (performance.now() - started) / 1000;
}
