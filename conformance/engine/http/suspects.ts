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
  /** Those that got a response before, each with those that lead to it, the last one first. */
  recent: RecordedExchange[][];
}

/** A request that got a response. */
interface Responded {
  /** Of its session; others may have come behind it. */
  exchanges: readonly RecordedExchange[];
  exchange: RecordedExchange;
}

/** A case sends fewer before the one that matters; the survey sends all that it tries. */
const MOST_STEPS = 12;

export class Suspects {
  /** When the first request was lost, since the last response. */
  #since: number | undefined;
  #lost: RecordedExchange[][] = [];
  /** The last requests that got a response; the next one takes the place of the oldest. */
  readonly #recent: Responded[] = [];
  #next = 0;

  /** Whether a request got no response, and none did since. */
  get areThere(): boolean {
    return this.#since !== undefined;
  }

  get all(): Suspected {
    const { length } = this.#recent;
    const inOrder = this.#recent.map((_, index) => this.#recent[(this.#next + index) % length]);
    const recent = inOrder.flatMap((one) => (one === undefined ? [] : [stepsOf(one)])).toReversed();
    return { lost: [...this.#lost], recent };
  }

  /** The service responds: what was lost before has not stopped it. */
  responded(
    exchanges: readonly RecordedExchange[],
    exchange: RecordedExchange | undefined = exchanges.at(-1),
  ): void {
    if (this.#since !== undefined) {
      this.#since = undefined;
      this.#lost = [];
    }
    if (exchange !== undefined) {
      this.#recent[this.#next] = { exchanges, exchange };
      this.#next = (this.#next + 1) % MOST;
    }
  }

  /**
   * What never reached the service has not stopped it.
   * @param begun when the last of the requests was sent, in milliseconds of `performance.now()`
   */
  lost(begun: number, exchanges: RecordedExchange[], { wasSent }: { wasSent: boolean }): void {
    this.#since ??= performance.now();
    if (wasSent && begun <= this.#since && this.#lost.length < MOST) {
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

function stepsOf({ exchanges, exchange }: Responded): RecordedExchange[] {
  const steps = exchanges.slice(0, exchanges.indexOf(exchange) + 1);
  return steps.slice(-MOST_STEPS);
}
