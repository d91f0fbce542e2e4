/**
 * A service that stops during a run: its last requests are sent again one by one, after somebody
 * has brought it back, until the one that stops it is known. Then the run goes on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Other } from '../findings/findings.ts';
import { type RecordedExchange, requestInWords } from '../http/exchange.ts';
import type { Implementation } from '../http/implementation.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import { operationAt } from '../http/operation-of.ts';
import { resend } from '../http/resend.ts';
import { NoResponse } from '../http/response.ts';
import type { Suspected } from '../http/suspects.ts';
import { asStop, stopOf } from './failure.ts';
import { isSilent, reach } from './reach.ts';
import type { RequirementResult } from './result.ts';
import type { RunOptions, Worker } from './run-options.ts';
import type { Evidence } from './try-property.ts';

/** What a look at the service shows. */
export type Look =
  | { kind: 'responds' }
  /** Nothing more can be said about the service. */
  | { kind: 'gone'; reason: string; suspected: Suspected | undefined }
  /** It stopped, and is back. `found`: the request that stops it, unless it is unknown. */
  | { kind: 'back'; found: Other | undefined; suspected: Suspected };

/** Stops that a run looks into: each costs at least one start of the service. */
const MOST_STOPS = 30;

/** After so many stops by one operation, it is not called again. */
const MOST_OF_ONE = 4;

/** How long a request that is sent alone may take: the service has nothing else to do. */
const LONGEST_MS = 3_000;

/** How long a service may take to end after the response to the request that ends it. */
const SETTLE_MS = 150;

type Options = Pick<RunOptions, 'api' | 'bringBack' | 'script' | 'signal'>;

export class Stops {
  /** The other threads: what they have sent is looked into, too. */
  others: readonly Worker[] = [];
  readonly #implementation: Implementation;
  readonly #options: Options;
  /** By the ids of their causes. */
  readonly #found = new Map<string, Other>();
  /** By the request that stopped the service. */
  readonly #byRequest = new Map<string, Other>();
  #count = 0;

  constructor(implementation: Implementation, options: Options) {
    this.#implementation = implementation;
    this.#options = options;
  }

  /** How often the service stopped and was brought back. */
  get count(): number {
    return this.#count;
  }

  /** The requests that stop the service, each cause once. */
  get all(): readonly Other[] {
    return [...this.#found.values()];
  }

  /** The operation of a requirement if it is not called any more. */
  barring(id: string): string | undefined {
    return this.#barred.find((operation) => id.startsWith(`${operation}.`));
  }

  get #barred(): string[] {
    const frequent = this.all.filter(({ times }) => times >= MOST_OF_ONE);
    return frequent.map(({ failure }) => failure.operation);
  }

  /** The stop at whose request a result fails. */
  causeOf({ failure }: RequirementResult): Other | undefined {
    const last = failure?.exchanges.at(-1);
    return last && this.#byRequest.get(requestInWords(last.request));
  }

  /** Looks whether the service responds; if not, waits for it, and for what stopped it. */
  async look(): Promise<Look> {
    const { api, bringBack, signal } = this.#options;
    const absence = await reach(this.#implementation, api);
    if (absence === undefined) {
      return { kind: 'responds' };
    }
    if (!absence.isSilent) {
      return { kind: 'gone', reason: absence.reason, suspected: undefined };
    }
    this.#leave();
    const suspected = await this.#suspected();
    try {
      if (bringBack === undefined || signal.aborted) {
        return { kind: 'gone', reason: absence.reason, suspected };
      }
      if (this.#count >= MOST_STOPS) {
        const reason = `the service stopped ${MOST_STOPS} times, and each time was brought back`;
        return { kind: 'gone', reason: `${reason}: fix that first.`, suspected };
      }
      const why = await this.#bringBack();
      if (why !== undefined) {
        return { kind: 'gone', reason: `${absence.reason} ${why}`, suspected };
      }
      const found = await this.#find(suspected);
      const stillGone = found === undefined ? undefined : await this.#bringBack();
      if (stillGone !== undefined) {
        return { kind: 'gone', reason: stillGone, suspected: undefined };
      }
      this.#count++;
      return { kind: 'back', found, suspected };
    } finally {
      this.#comeBack();
    }
  }

  /** After a requirement was tried alone. @returns why the service is not back */
  async bringBack(): Promise<string | undefined> {
    this.#leave();
    try {
      return await this.#bringBack();
    } finally {
      this.#comeBack();
    }
  }

  async #bringBack(): Promise<string | undefined> {
    const { api, bringBack, signal } = this.#options;
    const why = await bringBack?.(signal);
    const isBack = why === undefined && !(await isSilent(this.#implementation, api));
    this.#implementation.suspects.clear();
    if (isBack) {
      return undefined;
    }
    return why ?? 'it gave no response after it was started again.';
  }

  /** Whether the service has stopped, a little while after a request. */
  async hasStopped(): Promise<boolean> {
    await sleep(SETTLE_MS);
    return isSilent(this.#implementation, this.#options.api);
  }

  /**
   * The service stopped when this requirement was tried alone: at its failure, or at what removes
   * what it made.
   */
  noteAlone({ failure }: RequirementResult): Other | undefined {
    this.#count++;
    const suspected = this.#implementation.suspects.all;
    if (suspected.lost.length > 0 || failure === undefined) {
      return this.noteUnknown(suspected);
    }
    return this.#note({ failure: asStop(failure), times: 1 });
  }

  /** One of these requests has stopped the service: it is unknown which if there are several. */
  noteUnknown({ lost }: Suspected): Other | undefined {
    const [first, ...more] = lost;
    if (first === undefined) {
      return undefined;
    }
    const operations = lost.map((exchanges) => this.#operationOf(exchanges));
    const known = this.all.find(({ failure }) => operations.includes(failure.operation));
    return this.#note(known ?? this.#stopBy(first, more));
  }

  #operationOf(exchanges: readonly RecordedExchange[]): string | undefined {
    const { contract, client } = this.#implementation;
    const last = exchanges.at(-1);
    return last && operationAt(contract, client, last.request)?.operationId;
  }

  /** Each request alone, until the service stops. */
  async #find({ lost, recent }: Suspected): Promise<Other | undefined> {
    const last = lost.flatMap((exchanges) => exchanges.at(-1) ?? []);
    for (const exchange of [...last, ...recent]) {
      const tried = await this.#sendAlone(exchange);
      if (await this.hasStopped()) {
        return this.#note(this.#stopBy([tried], []));
      }
      if (this.#options.signal.aborted) {
        break;
      }
    }
    return undefined;
  }

  async #sendAlone(exchange: RecordedExchange): Promise<RecordedExchange> {
    const alone: RecordedExchange = { ...exchange, response: null };
    delete alone.group;
    delete alone.error;
    const response = await Promise.race([
      resend(this.#implementation.client, exchange).catch(asNoResponse),
      sleep(LONGEST_MS, undefined, { ref: false }),
    ]);
    if (response === undefined) {
      return { ...alone, error: `no response within ${LONGEST_MS} ms` };
    }
    if (response instanceof NoResponse) {
      return { ...alone, error: response.message };
    }
    const { status, headers, body } = response;
    return { ...alone, response: { status, headers, body: body.toString() } };
  }

  /** @param more others that may be the reason as well, each with the requests that lead to it */
  #stopBy(exchanges: RecordedExchange[], more: RecordedExchange[][]): Other {
    const operation = this.#operationOf(exchanges);
    const start = more.length > 0 ? 'It is unknown which request stops' : 'This request stops';
    const sentence = `${start} the service${operation === undefined ? '' : ` (${operation})`}.`;
    const error = new Nonconformity(sentence, { expected: '', got: '' });
    const evidence: Evidence = { error, exchanges, removals: [] };
    const curl = this.#options.script(sentence, evidence, this.#implementation);
    const others = more.flatMap((steps) => steps.at(-1) ?? []);
    return stopOf({ exchanges, others }, this.#implementation, curl);
  }

  #note(other: Other): Other {
    const { cause_id: id, exchanges } = other.failure;
    const known = this.#found.get(id);
    const noted = known ?? other;
    if (known !== undefined) {
      known.times++;
    }
    this.#found.set(id, noted);
    const last = exchanges.at(-1);
    if (last !== undefined) {
      this.#byRequest.set(requestInWords(last.request), noted);
    }
    return noted;
  }

  /** What all workers have sent last. */
  async #suspected(): Promise<Suspected> {
    const own = this.#implementation.suspects.all;
    const others = await Promise.all(this.others.map((worker) => worker.suspects()));
    return {
      lost: [own, ...others].flatMap(({ lost }) => lost),
      recent: [own, ...others].flatMap(({ recent }) => recent),
    };
  }

  #leave(): void {
    this.#implementation.presence.leave();
    for (const worker of this.others) {
      worker.leave();
    }
  }

  #comeBack(): void {
    this.#implementation.presence.comeBack(this.#barred);
    for (const worker of this.others) {
      worker.comeBack(this.#barred);
    }
  }
}

/** @throws what is no lack of a response */
function asNoResponse(error: unknown): NoResponse {
  if (error instanceof NoResponse) {
    return error;
  }
  throw error;
}
