/**
 * The requests that were under way when the service stopped: one of them may be the reason. A
 * request that was sent after the first of them was lost is not.
 */
import type { RecordedExchange } from './exchange.ts';

/** More than are under way at once in one worker, as a rule. */
const MOST = 16;

export class Suspects {
  /** When the first request was lost, since the last response. */
  #since: number | undefined;
  #lost: RecordedExchange[][] = [];

  /** Each with the requests that lead to it. */
  get all(): readonly RecordedExchange[][] {
    return this.#lost;
  }

  /** The service responds: the requests that were lost before have not stopped it. */
  responded(): void {
    this.#since = undefined;
    this.#lost = [];
  }

  /** @param begun when the last of the requests was sent, in milliseconds of `performance.now()` */
  lost(begun: number, exchanges: RecordedExchange[]): void {
    this.#since ??= performance.now();
    if (begun <= this.#since && this.#lost.length < MOST) {
      this.#lost.push(exchanges);
    }
  }
}
