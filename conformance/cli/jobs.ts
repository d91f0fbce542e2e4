/**
 * The other workers of `--jobs`: threads, each with a contract, API and implementation made of the options again. They try
 * a requirement when the run asks; order, progress, results and the decision to stop are those of a run with one job.
 * Threads, and not processes: Ctrl-C reaches the run alone, which ends each with its clean-up.
 *
 * What is safe beside the other requirements of one event loop (`--concurrency`) is safe beside those of another thread,
 * unless workers must agree. They need not: each has a part of `--rate`, names of test data contain the number of the
 * worker or are random, and what a user lends is for the first one: what ends in an error elsewhere is tried again there.
 */
import { once } from 'node:events';
import { extname } from 'node:path';
import { MessageChannel, Worker as Thread } from 'node:worker_threads';
import type { ClientOptions } from '../engine/http/client.ts';
import type { Implementation, ImplementationOptions } from '../engine/http/implementation.ts';
import type { Worker } from '../engine/run/run-options.ts';
import type { Options } from './options.ts';

/** With credentials, also those that were fetched. */
export type Sent = Pick<ClientOptions, 'headers' | 'query' | 'given' | 'tokens'>;
export type Job = Pick<ImplementationOptions, 'level' | 'job'> & {
  options: Options;
  cwd: string;
  base: string;
  sent: Sent;
};

type Counts = Record<string, number>[];
export const countsOf = (one: Implementation): Counts => [
  one.client.retries,
  one.leftBehind,
  one.perhapsMade,
  one.succeeded,
];

/** @param first the implementation of the first worker, to whose counts those of the others are added */
export function startWorkers(given: Job, first: Implementation): Worker[] {
  // A URL is not data.
  const options = { ...given.options, proxy: given.options.proxy?.href };
  return Array.from({ length: options.jobs - 1 }, (_, index) =>
    start({ ...given, options, job: index + 1 }, first),
  );
}

function start(workerData: object, first: Implementation): Worker {
  const thread = new Thread(new URL(`thread${extname(import.meta.url)}`, import.meta.url), {
    workerData,
  });
  let sent = 0;
  let counts: Counts = [];
  const ended = once(thread, 'exit').then(([code]) =>
    Promise.reject(new Error(`it ended with exit code ${code}`)),
  );
  const added = ended.catch(() => {
    first.client.sent += sent;
    for (const [index, to] of countsOf(first).entries()) {
      for (const [name, count] of Object.entries(counts[index] ?? {})) {
        to[name] = (to[name] ?? 0) + count;
      }
    }
  });
  const call = async (method: keyof Worker, ...args: unknown[]) => {
    const { port1, port2 } = new MessageChannel();
    thread.postMessage({ method, args, port: port2 }, [port2]);
    const [reply] = await Promise.race([once(port1, 'message'), ended]).finally(() =>
      port1.close(),
    );
    ({ sent, counts } = reply);
    return reply.result;
  };
  return {
    attempt: (...args) => call('attempt', ...args),
    halt: (reason) => void call('halt', reason).catch(() => {}),
    end: () => call('end').finally(() => thread.terminate().then(() => added)),
  };
}
