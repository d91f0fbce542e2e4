/**
 * One run of a job for all who ask for it at about the same time. A run that has begun may have passed what a caller has
 * just done, so that whoever asks meanwhile gets the next one.
 */
export class SharedRun {
  readonly #job: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(job: () => Promise<void>) {
    this.#job = job;
  }

  /** Resolves after a run that began after the call; fails where that run fails. */
  run(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#start();
    this.#next = this.#running.catch(() => undefined).then(() => this.#start());
    return this.#next;
  }

  #start(): Promise<void> {
    this.#next = undefined;
    const running = this.#job().finally(() => {
      this.#running = undefined;
    });
    this.#running = running;
    return running;
  }
}
