/** Spreads trials over the cores: each worker has a thread, a contract and all the faults of its own. */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Trial, WholeTrial } from './trial.ts';

export interface Job {
  fault: string;
  seed: number;
}

export interface Results {
  alone: Trial;
  whole: WholeTrial;
}

/** What goes to a worker, and what comes back. */
export type Order = Job & { number: number; kind: keyof Results };
export type Reply = { number: number } & ({ result: Trial | WholeTrial } | { error: unknown });

/** Trials under way at once in one thread: enough to fill the pauses of some, few enough not to slow each other down. */
const LANES: Record<keyof Results, number> = { alone: 3, whole: 1 };

export class Crew {
  readonly #workers = Array.from(
    { length: Math.min(availableParallelism(), 8) },
    () => new Worker(new URL('./kill-worker.js', import.meta.url)),
  );
  readonly #open = new Map<number, { resolve: (result: never) => void; reject: (error: unknown) => void }>();
  #orders = 0;

  constructor() {
    for (const worker of this.#workers) {
      worker.setMaxListeners(0);
      worker.on('message', (reply: Reply) => {
        const order = this.#open.get(reply.number);
        this.#open.delete(reply.number);
        if ('error' in reply) order?.reject(reply.error);
        else order?.resolve(reply.result as never);
      });
      worker.on('error', (error) => {
        for (const { reject } of this.#open.values()) reject(error);
      });
    }
  }

  /** The results in the order of the jobs. @param finished is told how many are there, after each */
  async try<K extends keyof Results>(
    kind: K,
    jobs: readonly Job[],
    finished: (count: number) => void = () => {},
  ): Promise<Results[K][]> {
    const results: Results[K][] = [];
    let count = 0;
    const rest = [...jobs.entries()];
    const lane = async (worker: Worker) => {
      for (let next = rest.shift(); next !== undefined; next = rest.shift()) {
        results[next[0]] = await this.#ask(worker, kind, next[1]);
        finished(++count);
      }
    };
    await Promise.all(this.#workers.flatMap((worker) => Array.from({ length: LANES[kind] }, () => lane(worker))));
    return results;
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()));
  }

  #ask<K extends keyof Results>(worker: Worker, kind: K, job: Job): Promise<Results[K]> {
    const number = ++this.#orders;
    return new Promise((resolve, reject) => {
      this.#open.set(number, { resolve, reject });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
      worker.postMessage({ ...job, number, kind } satisfies Order);
    });
  }
}
