/** Spreads mutants over the cores: each worker has a thread, a contract and all the mutants of its own. */
import { extname } from 'node:path';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { MutantResult } from './try-mutant.ts';

export interface Job {
  mutant: string;
  seed: number;
}

/** What goes to a worker, and what comes back. */
export type Order = Job & { number: number; likely: string[] };
export type Reply = { number: number } & ({ result: MutantResult } | { error: unknown });

/**
 * Mutants under way at once in one thread: enough to fill the pauses of some, few enough not to slow each other down.
 */
const LANES = 3;

export class WorkerPool {
  readonly #workers = Array.from(
    { length: Math.min(availableParallelism(), 8) },
    // As this file is: compiled, or as it was written.
    () => new Worker(new URL(`./kill-worker${extname(import.meta.url)}`, import.meta.url)),
  );
  readonly #open = new Map<number, { resolve: (result: MutantResult) => void; reject: (error: unknown) => void }>();
  #orders = 0;

  constructor() {
    for (const worker of this.#workers) {
      worker.on('message', (reply: Reply) => {
        const order = this.#open.get(reply.number);
        this.#open.delete(reply.number);
        if ('error' in reply) order?.reject(reply.error);
        else order?.resolve(reply.result);
      });
      worker.on('error', (error) => {
        for (const { reject } of this.#open.values()) reject(error);
      });
    }
  }

  /**
   * Tries them all.
   *
   * @param likelyFor requirements to try first, asked when a mutant has its turn
   * @param finished gets each result as soon as it is there
   */
  async tryAll(
    jobs: readonly Job[],
    likelyFor: (mutant: string) => string[],
    finished: (job: Job, result: MutantResult) => void,
  ): Promise<void> {
    const rest = [...jobs];
    const lane = async (worker: Worker) => {
      for (let job = rest.shift(); job !== undefined; job = rest.shift())
        finished(job, await this.#try(worker, job, likelyFor(job.mutant)));
    };
    await Promise.all(this.#workers.flatMap((worker) => Array.from({ length: LANES }, () => lane(worker))));
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #try(worker: Worker, job: Job, likely: string[]): Promise<MutantResult> {
    const number = ++this.#orders;
    return new Promise((resolve, reject) => {
      this.#open.set(number, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      worker.postMessage({ ...job, number, likely } satisfies Order);
    });
  }
}
