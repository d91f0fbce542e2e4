/** Runs jobs of one key one after another, and jobs of different keys side by side. */
export class KeyedQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @returns what the job returns; its failure does not touch the next job */
  run<R>(key: string, job: () => Promise<R>): Promise<R> {
    const before = this.#last.get(key);
    const result = before === undefined ? job() : before.then(job, job);
    this.#last.set(key, result);
    const end = () => {
      if (this.#last.get(key) === result) {
        this.#last.delete(key);
      }
    };
    result.then(end, end);
    return result;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#last.values());
  }
}
