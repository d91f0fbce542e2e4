/**
 * The requests that may be why the service stopped: those that were under way, and the last ones
 * that got a response, after which a service may fail as well. What was sent after the first of
 * them was lost is not among them.
 */
import type { RecordedExchange } from './exchange.ts';

/** More than are under way at once in one worker, as a rule. */
const MOST = 16;

/** It is data, because it may come from another thread. */
export interface Suspected {
  /** The requests that were under way, each with those that lead to it. */
  lost: RecordedExchange[][];
  /** Those that got a response before, the last one first. */
  recent: RecordedExchange[];
}

export class Suspects {
  /** When the first request was lost, since the last response. */
  #since: number | undefined;
  #lost: RecordedExchange[][] = [];
  /** The last requests that got a response; the next one takes the place of the oldest. */
  readonly #recent: RecordedExchange[] = [];
  #next = 0;

  get areThere(): boolean {
    return this.#lost.length > 0;
  }

  get all(): Suspected {
    const { length } = this.#recent;
    const inOrder = this.#recent.map((_, index) => this.#recent[(this.#next + index) % length]);
    const recent = inOrder.filter((one) => one !== undefined).toReversed();
    return { lost: [...this.#lost], recent };
  }

  /** The service responds: what was lost before has not stopped it. */
  responded(exchange: RecordedExchange): void {
    if (this.#since !== undefined) {
      this.#since = undefined;
      this.#lost = [];
    }
    this.#recent[this.#next] = exchange;
    this.#next = (this.#next + 1) % MOST;
  }

  /** @param begun when the last of the requests was sent, in milliseconds of `performance.now()` */
  lost(begun: number, exchanges: RecordedExchange[]): void {
    this.#since ??= performance.now();
    if (begun <= this.#since && this.#lost.length < MOST) {
      this.#lost.push(exchanges);
    }
  }

  /** They were looked into. */
  clear(): void {
    this.#since = undefined;
    this.#lost = [];
    this.#recent.length = 0;
    this.#next = 0;
  }
}
