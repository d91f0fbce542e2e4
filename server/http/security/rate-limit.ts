/**
 * Limits the requests a minute of a client (D32), counted in this process. `RateLimit` headers are
 * an IETF draft.
 */
import type { Request, RequestHandler } from 'express';
import { ipKeyGenerator, rateLimit, type Store } from 'express-rate-limit';
import { ApiError } from '../../domain/api-error.ts';
import { PROBES } from '../request/context.ts';
import { principalOf, type Tokens } from './tokens.ts';

const WINDOW_MS = 60_000;

/** @param tokens undefined: the service is open, and clients are counted by address */
export function limitRate(perMinute: number, tokens: Tokens | undefined): RequestHandler {
  const detail = `A client may send ${perMinute} requests a minute. Wait as Retry-After says.`;
  return rateLimit({
    windowMs: WINDOW_MS,
    store: new Windows(),
    limit: perMinute,
    standardHeaders: 'draft-8',
    legacyHeaders: false,
    identifier: 'per-minute',
    // A refusal would look like a failure of the service.
    skip: (req) => PROBES.includes(req.path),
    keyGenerator: (req) => clientOf(req, tokens),
    handler: (_req, _res, next) => next(new ApiError('too_many_requests', detail)),
    // It would write to stderr when a client sends its own X-Forwarded-For, which is not trusted.
    validate: false,
  });
}

/** Guesses of tokens share the count of their address. */
function clientOf(req: Request, tokens: Tokens | undefined): string {
  const principal = tokens && principalOf(req, tokens);
  if (principal === undefined) {
    return `address ${ipKeyGenerator(req.ip ?? '')}`;
  }
  return `token ${principal.name}`;
}

/** The requests of one client in the minute that began with the first of them. */
interface Window {
  hits: number;
  endsAt: number;
}

/**
 * Counts by a clock that is never set. The store of the library takes the time of day: after a step
 * back of an hour, a client would have to wait for an hour.
 */
export class Windows implements Store {
  /** No other limit counts the same keys. */
  readonly localKeys = true;
  readonly #clock: () => number;
  /** Clients that have come since the last change of the two, and those that have not. */
  #current = new Map<string, Window>();
  #before = new Map<string, Window>();
  #changeAt = -Infinity;

  /** @param clock in milliseconds since any moment */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  increment(key: string) {
    // Whole milliseconds, whose sums and differences are exact.
    const now = Math.floor(this.#clock());
    this.#forgetOld(now);
    const window = this.#windowOf(key, now);
    window.hits += 1;
    this.#current.set(key, window);
    // The library takes the time of day off again, in the same turn.
    const resetTime = new Date(Date.now() + window.endsAt - now);
    return { totalHits: window.hits, resetTime };
  }

  decrement(key: string): void {
    const window = this.#current.get(key) ?? this.#before.get(key);
    if (window !== undefined && window.hits > 0) {
      window.hits -= 1;
    }
  }

  resetKey(key: string): void {
    this.#current.delete(key);
    this.#before.delete(key);
  }

  /** The window of a client that has not come for two changes has ended. */
  #forgetOld(now: number): void {
    if (now < this.#changeAt) {
      return;
    }
    this.#before = this.#current;
    this.#current = new Map();
    this.#changeAt = now + WINDOW_MS;
  }

  #windowOf(key: string, now: number): Window {
    const known = this.#current.get(key) ?? this.#before.get(key);
    if (known !== undefined && now < known.endsAt) {
      return known;
    }
    return { hits: 0, endsAt: now + WINDOW_MS };
  }
}
