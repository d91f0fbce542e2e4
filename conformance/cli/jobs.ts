/**
 * The other workers of `--jobs`: threads, each with a contract, API and implementation made of the
 * options again. They try a requirement when the run asks. Order, progress, results and the
 * decision to stop are those of a run with one job. They are threads, not processes, so that Ctrl-C
 * reaches the run alone, which ends each of them with its clean-up.
 *
 * A requirement that is safe beside others of one event loop (`--concurrency`) is also safe beside
 * those of another thread, unless workers must agree. They need not: each has a part of `--rate`;
 * names of test data contain the number of the worker or are random; and what a user lends belongs
 * to the first worker: a requirement that ends in an error elsewhere is tried again there.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { MessageChannel, type MessagePort, Worker as Thread } from 'node:worker_threads';
import type { Level } from '../engine/contract/operations.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import type { SurveyResult } from '../engine/http/recipe.ts';
import type { RecordedExchange } from '../engine/http/exchange.ts';
import type { WrongRetryAfter } from '../engine/http/retry-after.ts';
import type { ServerError } from '../engine/http/server-errors.ts';
import type { Suspected } from '../engine/http/suspects.ts';
import type { Worker } from '../engine/run/run-options.ts';
import type { Sent } from './clients.ts';
import type { Options } from './options.ts';

/** The settings that all workers of a run share. */
export interface Job {
  options: Options;
  cwd: string;
  /** The base URL that was found to have the operations of the contract. */
  base: string;
  sent: Sent;
  level: Level;
}

/** The job as it is passed to a thread: data alone, which a `URL` is not. */
export interface ThreadJob extends Omit<Job, 'options'> {
  /** The ways to reach operations, as the first worker found them. */
  survey: SurveyResult;
  /** What the service limits, as all workers know it. */
  limited: SharedArrayBuffer;
  /** Which short names cases use. */
  claimed: SharedArrayBuffer;
  options: Omit<Options, 'proxy'> & { proxy: string | undefined };
  /** The number of the worker, from 1: the one of the run has 0. */
  number: number;
}

/** Asks a thread to call a method of its worker. */
export interface Call {
  method: keyof Worker;
  args: unknown[];
  /** The buffer to which the reply goes. */
  port: MessagePort;
}

export interface Reply {
  result: unknown;
  /** All that the worker has counted so far. */
  counts: Counts;
}

export interface Counts {
  sent: number;
  retries: Record<string, number>;
  leftBehind: Record<string, number>;
  perhapsMade: Record<string, number>;
  succeeded: Record<string, number>;
  /** After the last attempt alone: they come with all their requests. */
  serverErrors?: ServerError[];
  /** Likewise. */
  wrongRetryAfters?: WrongRetryAfter[];
}

export function countsOf(implementation: Implementation): Counts {
  const { client, leftBehind, perhapsMade, succeeded } = implementation;
  return { sent: client.sent, retries: client.retries, leftBehind, perhapsMade, succeeded };
}

/**
 * @param first the implementation of the first worker, to whose counts those of the others are
 * added
 */
export function startWorkers(job: Job, first: Implementation): Worker[] {
  const { options } = job;
  const { survey } = first;
  const limited = first.limited.memory;
  const claimed = first.claimed.memory;
  const plainOptions = { ...options, proxy: options.proxy?.href };
  const data = { ...job, survey, limited, claimed, options: plainOptions };
  return Array.from({ length: options.jobs - 1 }, (_, index) => {
    return startWorker({ ...data, number: index + 1 }, first);
  });
}

function startWorker(job: ThreadJob, first: Implementation): Worker {
  const thread = new WorkerThread(job, (counts) => addCounts(first, counts));
  return {
    attempt: (...args) => thread.call('attempt', ...args),
    // Nothing more is sent by a thread that has ended.
    halt: (reason) => void thread.call('halt', reason).catch(() => {}),
    suspects: () => thread.call('suspects').then(asSuspected),
    leave: () => void thread.call('leave').catch(() => {}),
    comeBack: (...args) => void thread.call('comeBack', ...args).catch(() => {}),
    end: () => thread.call('end').finally(() => thread.terminate()),
  };
}

class WorkerThread {
  readonly #thread: Thread;
  /** Fails when the thread ends, for whatever reason. */
  readonly #ended: Promise<never>;
  /** When the thread has ended and its counts are added. */
  readonly #added: Promise<void>;
  #counts: Counts | undefined;

  constructor(job: ThreadJob, add: (counts: Counts) => void) {
    const program = new URL(`thread${extname(import.meta.url)}`, import.meta.url);
    this.#thread = new Thread(program, { workerData: job });
    this.#ended = once(this.#thread, 'exit').then(([code]) => {
      throw new Error(`it ended with exit code ${code}`);
    });
    this.#added = this.#ended.catch(() => {
      if (this.#counts !== undefined) {
        add(this.#counts);
      }
    });
  }

  /** Calls the method of the worker in the thread. @throws Error if the thread ends */
  async call(method: keyof Worker, ...args: unknown[]): Promise<any> {
    const { port1, port2 } = new MessageChannel();
    const call: Call = { method, args, port: port2 };
    this.#thread.postMessage(call, [port2]);
    try {
      const [reply]: Reply[] = await Promise.race([once(port1, 'message'), this.#ended]);
      this.#counts = reply?.counts;
      return reply?.result;
    } finally {
      port1.close();
    }
  }

  async terminate(): Promise<void> {
    await this.#thread.terminate();
    await this.#added;
  }
}

/** Adds what another worker has counted. */
export function addCounts(to: Implementation, counts: Counts): void {
  to.client.sent += counts.sent;
  addTo(to.client.retries, counts.retries);
  addTo(to.leftBehind, counts.leftBehind);
  addTo(to.perhapsMade, counts.perhapsMade);
  addTo(to.succeeded, counts.succeeded);
  const errors = counts.serverErrors ?? [];
  to.serverErrors.add(
    errors.map((error) => ({ ...error, exchanges: error.exchanges.map(asSent) })),
  );
  for (const wrong of counts.wrongRetryAfters ?? []) {
    to.wrongRetryAfters.add(wrong);
  }
}

/** A buffer that comes from another thread is an array of bytes. */
function asSent(exchange: RecordedExchange): RecordedExchange {
  if (exchange.raw) {
    return { ...exchange, raw: Buffer.from(exchange.raw) };
  }
  return exchange;
}

function asSuspected({ lost, recent }: Suspected): Suspected {
  const whole = (steps: readonly RecordedExchange[]) => steps.map(asSent);
  return { lost: lost.map(whole), recent: recent.map(whole) };
}

function addTo(to: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) {
    to[name] = (to[name] ?? 0) + count;
  }
}
