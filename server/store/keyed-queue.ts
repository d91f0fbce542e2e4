/** Runs jobs of one key one after another, and jobs of different keys side by side. */
export class KeyedQueue {
  /** Ends with the last job of a key, and never fails. */
  readonly #last = new Map<string, Promise<unknown>>();

  /** @returns what the job returns; its failure does not touch the next job */
  async run<R>(key: string, job: () => Promise<R>): Promise<R> {
    const result = after(this.#last.get(key), job);
    const done = Promise.allSettled([result]);
    this.#last.set(key, done);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === done) this.#last.delete(key);
    }
  }

  async settled(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}

async function after<R>(before: Promise<unknown> | undefined, job: () => Promise<R>): Promise<R> {
  await before;
  return job();
}
