/**
 * Responses that say that the service failed, wherever they come: in a case, before or after it, or
 * while a resource is removed. They are kept by operation, each status once.
 */
import type { Operation } from '../contract/operations.ts';
import type { RecordedExchange } from './exchange.ts';

/** A status from 500 on to one operation. */
export interface ServerError {
  /** The id of the operation. */
  operation: string;
  status: number;
  times: number;
  /** The requests that lead to it; the last one has the response. */
  exchanges: RecordedExchange[];
}

/** A method or a version of HTTP that a server does not know is refused with these. */
const REFUSALS: ReadonlySet<number> = new Set([501, 505]);

/**
 * 500 says that the service failed, documented or not; of the others, what is documented is due.
 */
export function isServerError({ responses }: Operation, status: number): boolean {
  if (status < 500 || REFUSALS.has(status)) {
    return false;
  }
  return status === 500 || !(String(status) in responses);
}

/** Statuses above these are registered by nobody: a contract says what they mean. */
const LAST_REGISTERED = 511;

/**
 * The documented statuses that say that the service lacks what a request asks for, such as a
 * version: they refuse requests that the contract allows.
 */
export function lackingStatuses({ responses }: Operation): number[] {
  const documented = Object.keys(responses).map(Number);
  return documented.filter((status) => REFUSALS.has(status) || status > LAST_REGISTERED);
}

export class ServerErrors {
  readonly #found = new Map<string, ServerError>();

  get all(): ServerError[] {
    return [...this.#found.values()];
  }

  clear(): void {
    this.#found.clear();
  }

  /** Those of another worker are added. */
  add(others: readonly ServerError[]): void {
    for (const other of others) {
      this.note(other.operation, other.status, other.exchanges, other.times);
    }
  }

  /** @param exchanges that lead to the response, the last one with it */
  note(operation: string, status: number, exchanges: readonly RecordedExchange[], times = 1): void {
    const key = `${operation} ${status}`;
    const known = this.#found.get(key);
    if (known === undefined) {
      this.#found.set(key, { operation, status, times, exchanges: [...exchanges] });
      return;
    }
    known.times += times;
    if (sizeOf(exchanges) < sizeOf(known.exchanges)) {
      known.exchanges = [...exchanges];
    }
  }
}

/** Fewer requests first, then a shorter one. */
function sizeOf(exchanges: readonly RecordedExchange[]): number {
  const last = exchanges.at(-1)?.request;
  const length = (last?.url.length ?? 0) + (last?.body?.length ?? 0);
  return exchanges.length * 1_000_000 + length;
}
