/**
 * A service that stops during a run: its last requests are sent again one by one, after somebody
 * has brought it back, until the one that stops it is known. Then the run goes on.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Other } from '../findings/findings.ts';
import { type RecordedExchange, requestInWords } from '../http/exchange.ts';
import type { Implementation } from '../http/implementation.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import { operationAt, pathValuesOf } from '../http/operation-of.ts';
import { resend } from '../http/resend.ts';
import { HttpResponse, NoResponse, parse, type RawResponse } from '../http/response.ts';
import { CaseSession } from '../http/session.ts';
import type { Suspected } from '../http/suspects.ts';
import { stopOf } from './failure.ts';
import { isSilent, reach } from './reach.ts';
import type { RequirementResult } from './result.ts';
import type { RunOptions, Worker } from './run-options.ts';
import { smallestOf } from './smaller-request.ts';
import type { Evidence } from './try-property.ts';

/** What a look at the service shows. */
export type Look =
  | { kind: 'responds' }
  /**
   * Nothing more can be said about the service. `hasStopped`: it gives no response; else something
   * else responds in its place.
   */
  | { kind: 'gone'; reason: string; hasStopped: boolean; suspected: Suspected | undefined }
  /** It stopped, and is back. `found`: the request that stops it, unless it is unknown. */
  | { kind: 'back'; found: Other | undefined; suspected: Suspected };

/** Stops that a run looks into: each costs at least one start of the service. */
const MOST_STOPS = 30;

/** After so many stops by one operation, it is not called again. */
const MOST_OF_ONE = 4;

/** How many requests before the last one are shown, if no single one is to blame. */
const MOST_STEPS = 12;

/** How long a request that is sent alone may take: the service has nothing else to do. */
const LONGEST_MS = 3_000;

/** How long a request is made smaller: the start of a service may take long. */
const LONGEST_SEARCH_MS = 60_000;

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
  /** The ids of the causes whose request was seen to stop the service alone, and made smaller. */
  readonly #confirmed = new Set<string>();
  /** By the request that stopped the service. */
  readonly #byRequest = new Map<string, Other>();
  #count = 0;
  /** Removes what requests have made that were sent again. */
  #session: CaseSession | undefined;

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
      return { kind: 'gone', reason: absence.reason, hasStopped: false, suspected: undefined };
    }
    this.#leave();
    const suspected = await this.#suspected();
    try {
      if (bringBack === undefined || signal.aborted) {
        return gone(absence.reason, suspected);
      }
      if (this.#count >= MOST_STOPS) {
        const reason = `the service stopped ${MOST_STOPS} times, and each time was brought back`;
        return gone(`${reason}: fix that first.`, suspected);
      }
      const why = await this.#bringBack();
      if (why !== undefined) {
        return gone(`${absence.reason} ${why}`, suspected);
      }
      const found = await this.#find(suspected);
      if (typeof found === 'string') {
        return gone(found, undefined);
      }
      this.#count++;
      return { kind: 'back', found, suspected };
    } finally {
      this.#comeBack();
      await this.#removeMade();
    }
  }

  async #removeMade(): Promise<void> {
    const session = this.#session;
    this.#session = undefined;
    await session?.cleanUp(true);
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

  /** Sends one request after the other: the service has time to stop in between. */
  async slowly<T>(attempt: () => Promise<T>): Promise<T> {
    const { client } = this.#implementation;
    client.pauseMs = SETTLE_MS;
    try {
      return await attempt();
    } finally {
      client.pauseMs = 0;
    }
  }

  /**
   * The service stopped when a requirement was tried alone and slowly: at the request that got no
   * response, or else at the last one that got one. Then it is brought back.
   * @returns the stop, or a text if the service does not come back: the reason
   */
  async noteAlone(): Promise<Other | string | undefined> {
    this.#count++;
    const { lost, recent } = this.#implementation.suspects.all;
    const suspected = lost.length > 0 ? lost : recent.slice(0, 1);
    const away = await this.bringBack();
    if (away !== undefined) {
      return away;
    }
    const [first = [], ...more] = suspected;
    const last = first.at(-1);
    if (last === undefined || more.length > 0) {
      return this.noteUnknown({ lost: suspected, recent });
    }
    const known = this.#knownBehind(last);
    if (known !== undefined) {
      return this.#noteAgain(known, last);
    }
    const alone = await this.#sendAlone(last);
    if (await this.hasStopped()) {
      return this.#noteSmallest(alone);
    }
    const own = first.slice(0, -1);
    const steps = own.length > 0 ? own : changesIn(recent).filter((one) => one !== last);
    return this.#note(this.#stopBy([...steps.slice(-MOST_STEPS), last], [], true));
  }

  /** One of these requests has stopped the service: it is unknown which if there are several. */
  noteUnknown({ lost, recent }: Suspected): Other | undefined {
    const [first, ...more] = lost.length > 0 ? lost : recent;
    if (first === undefined) {
      return undefined;
    }
    const operations = [first, ...more].map((exchanges) => this.#operationOf(exchanges));
    const known = this.all.find(({ failure }) => operations.includes(failure.operation));
    return this.#note(known ?? this.#stopBy(first, more));
  }

  #operationOf(exchanges: readonly RecordedExchange[]): string | undefined {
    const { contract, client } = this.#implementation;
    const last = exchanges.at(-1);
    return last && operationAt(contract, client, last.request)?.operationId;
  }

  /**
   * Each request alone, until the service stops; it is back then.
   * @returns a text if it does not come back: the reason
   */
  async #find({ lost, recent }: Suspected): Promise<Other | string | undefined> {
    const last = lost.flatMap((exchanges) => exchanges.at(-1) ?? []);
    const answered = recent.flatMap((exchanges) => exchanges.at(-1) ?? []);
    const sent: RecordedExchange[] = [];
    for (const exchange of [...last, ...answered]) {
      const tried = await this.#sendAlone(exchange);
      if (await this.hasStopped()) {
        return this.#noteBehind(sent, tried);
      }
      sent.push(tried);
      if (this.#options.signal.aborted) {
        break;
      }
    }
    return undefined;
  }

  /**
   * The request has stopped the service behind others: it may do so alone, or need one of them.
   * @param before what the service got since it was started, in order
   * @returns a text if the service does not come back: the reason
   */
  async #noteBehind(
    before: readonly RecordedExchange[],
    last: RecordedExchange,
  ): Promise<Other | string> {
    if (before.length === 0) {
      return this.#noteSmallest(last);
    }
    const away = await this.#bringBack();
    if (away !== undefined) {
      return away;
    }
    const known = this.#knownBehind(last);
    if (known !== undefined) {
      return this.#noteAgain(known, last);
    }
    const alone = await this.#sendAlone(last);
    if (await this.hasStopped()) {
      return this.#noteSmallest(alone);
    }
    const pair = await this.#pairOf(before, last);
    if (typeof pair === 'string') {
      return pair;
    }
    const steps = pair ?? [...before.slice(-MOST_STEPS), last];
    return this.#noteAgain(this.#stopBy(steps, [], true), last);
  }

  #noteAgain(stop: Other, last: RecordedExchange): Other {
    const noted = this.#note(stop);
    this.#byRequest.set(requestInWords(last.request), noted);
    return noted;
  }

  /** A stop of the same operation behind others, which is not looked for again. */
  #knownBehind(last: RecordedExchange): Other | undefined {
    const { cause_id: id } = this.#stopBy([last], [], true).failure;
    return this.#found.get(id);
  }

  /**
   * The request and an earlier one that stop the service together; undefined if no two do.
   * @returns a text if the service does not come back: the reason
   */
  async #pairOf(
    before: readonly RecordedExchange[],
    last: RecordedExchange,
  ): Promise<RecordedExchange[] | string | undefined> {
    for (const earlier of before.toReversed()) {
      const pair = await this.#sendInTurn([earlier, last]);
      if (pair === undefined) {
        continue;
      }
      const away = await this.#bringBack();
      // What was sent before may have had a part in it: a new service shows that.
      const again = away === undefined ? await this.#sendInTurn([earlier, last]) : undefined;
      const stillAway = again === undefined ? away : await this.#bringBack();
      return stillAway ?? again;
    }
    return undefined;
  }

  /** @returns the exchanges if the service has stopped behind them */
  async #sendInTurn(
    exchanges: readonly RecordedExchange[],
  ): Promise<RecordedExchange[] | undefined> {
    const sent: RecordedExchange[] = [];
    for (const exchange of exchanges) {
      sent.push(await this.#sendAlone(exchange));
    }
    if (await this.hasStopped()) {
      return sent;
    }
    return undefined;
  }

  /**
   * Notes the smallest request like this one that stops the service, and brings the service back.
   * A cause that is confirmed keeps its request.
   * @param exchange a request that has just stopped the service alone
   * @returns a text if the service does not come back: the reason
   */
  async #noteSmallest(exchange: RecordedExchange): Promise<Other | string> {
    const isKnown = this.#confirmed.has(this.#stopBy([exchange], []).failure.cause_id);
    let away = await this.#bringBack();
    const end = performance.now() + LONGEST_SEARCH_MS;
    const stops = async (smaller: RecordedExchange): Promise<RecordedExchange | undefined> => {
      const isOver = performance.now() > end || this.#options.signal.aborted;
      if (isKnown || away !== undefined || isOver) {
        return undefined;
      }
      const tried = await this.#sendAlone(smaller);
      if (!(await this.hasStopped())) {
        return undefined;
      }
      away = await this.#bringBack();
      return tried;
    };
    const smallest = await smallestOf(exchange, this.#implementation, stops);
    const stop = this.#stopBy([smallest], []);
    const noted = this.#note(stop);
    if (!isKnown) {
      // An earlier stop for the same cause may have shown a request that only may be to blame.
      noted.failure = stop.failure;
      noted.notes = stop.notes ?? [];
      this.#confirmed.add(stop.failure.cause_id);
    }
    // Failures have the request as it was sent first.
    this.#byRequest.set(requestInWords(exchange.request), noted);
    return away ?? noted;
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
    this.#noteMade(exchange, response);
    const { status, headers, body } = response;
    return { ...alone, response: { status, headers, body: body.toString() } };
  }

  /** What a request has made when it was sent again is removed at the end of the look. */
  #noteMade({ request }: RecordedExchange, received: RawResponse): void {
    const { contract, client } = this.#implementation;
    const operation = operationAt(contract, client, request);
    if (operation === undefined || request.method !== 'POST') {
      return;
    }
    this.#session ??= new CaseSession(this.#implementation);
    const input = { path: pathValuesOf(operation, request.url), json: parse(request.body ?? '') };
    this.#session.made(operation.operationId, input, new HttpResponse(received));
  }

  /**
   * @param more others that may be the reason as well, each with the requests that lead to it
   * @param needsAll whether the last request does not stop the service alone
   */
  #stopBy(exchanges: RecordedExchange[], more: RecordedExchange[][], needsAll = false): Other {
    const operation = this.#operationOf(exchanges);
    const known = needsAll ? 'These requests stop' : 'This request stops';
    const start = more.length > 0 ? 'It is unknown which request stops' : known;
    const sentence = `${start} the service${operation === undefined ? '' : ` (${operation})`}.`;
    const error = new Nonconformity(sentence, { expected: '', got: '' });
    const evidence: Evidence = { error, exchanges, removals: [] };
    const curl = this.#options.script(sentence, evidence, this.#implementation);
    const others = more.flatMap((steps) => steps.at(-1) ?? []);
    return stopOf({ exchanges, others, needsAll }, this.#implementation, curl);
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

/** The last changes, in order: what reads does not stop a service later, as a rule. */
function changesIn(recent: readonly RecordedExchange[][]): RecordedExchange[] {
  const all = recent.flatMap((steps) => steps.at(-1) ?? []);
  return all.filter(({ request }) => request.method !== 'GET').toReversed();
}

/** @param suspected undefined if what stopped it is known */
const gone = (reason: string, suspected: Suspected | undefined): Look => {
  return { kind: 'gone', reason, hasStopped: true, suspected };
};

/** @throws what is no lack of a response */
function asNoResponse(error: unknown): NoResponse {
  if (error instanceof NoResponse) {
    return error;
  }
  throw error;
}
