/**
 * One case: its exchanges, kept to be shown and sent again, and what it leaves to be cleaned up.
 */
import { isJson } from '../contract/media-types.ts';
import { isSuccessOf, type Operation, pathParameters } from '../contract/operations.ts';
import { CHANCE, type Random } from '../generate/random.ts';
import { noteServerError } from './aside.ts';
import { type CallInput, requestOf, type Sending } from './call.ts';
import type { RawRequest } from './client.ts';
import { BYTES, type RecordedExchange } from './exchange.ts';
import { existedBefore } from './existing-items.ts';
import { countMade, type Implementation, type Session, type Tracker } from './implementation.ts';
import { withNamesOfPath } from './names-in-path.ts';
import { Blocked, BrokenOff, NotPossible } from './nonconformity.ts';
import { needsEntityTag, withEntityTag } from './preconditions.ts';
import { operationAt } from './operation-of.ts';
import { asSentBy } from './other-user.ts';
import { askedWait } from './rate.ts';
import { ReadsAround } from './read-around.ts';
import { fieldsBeside } from './resend.ts';
import { isStream } from './streams.ts';
import {
  HttpResponse,
  joined,
  NoResponse,
  type RawResponse,
  ResponseLost,
  SIGNS_OF_A_STOP,
} from './response.ts';

export type { Session } from './implementation.ts';

/**
 * In characters; a report shows less, and the values that a script needs are at the beginning of a
 * response.
 */
const MAX_RECORDED = 200_000;

export class CaseSession implements Session {
  readonly implementation: Implementation;
  readonly exchanges: RecordedExchange[] = [];
  random: Random = CHANCE;
  kept: readonly string[] = [];
  complete?: (operation: Operation, input: CallInput) => CallInput;
  /** Whether the checks of each response, that of a user among them, see the responses. */
  checksResponses = true;
  /** Whether a stream without anything to send is no failure. */
  allowsSilentStreams = true;
  notesServerErrors = true;
  readonly #tracker: Tracker;
  /** How often the service had been away when the case began. */
  readonly #timesAway: number;
  readonly #shared: Shared | undefined;
  readonly #readsAround: ReadsAround | undefined;
  readonly #claimed: string[] = [];
  /** Whether it uses what it shares with other cases. */
  #isSharing = false;
  /** The number of the group of requests that are sent at once. */
  #group = 0;
  /** Whether a request that begins now belongs to the group. */
  #isGrouping = false;
  #isOtherUser = false;
  /** How many `together` are under way. */
  #racing = 0;

  /**
   * @param shared what it shares with other cases; default: nothing
   * @param seed chooses the calls around which it reads; default: none of them
   */
  constructor(implementation: Implementation, shared?: Shared, seed?: number) {
    this.implementation = implementation;
    this.#timesAway = implementation.presence.times;
    this.#shared = shared;
    if (seed !== undefined) {
      this.#readsAround = new ReadsAround(implementation, seed, (sending) => this.send(sending));
    }
    this.#tracker = implementation.api.track(this);
  }

  operation(operationId: string): Operation {
    const operation = this.implementation.operations.get(operationId);
    if (!operation) {
      throw new Error(`the contract has no operation ${operationId}`);
    }
    return operation;
  }

  async callAround(operationId: string, input: CallInput): Promise<HttpResponse> {
    if (this.#racing > 0) {
      return this.call(operationId, input);
    }
    const check = await this.#readsAround?.before(this.operation(operationId), input);
    const response = await this.call(operationId, input);
    await check?.(response);
    return response;
  }

  async call(operationId: string, given: CallInput = {}): Promise<HttpResponse> {
    const operation = this.operation(operationId);
    const { body } = this.implementation.survey[operationId]?.recipe ?? {};
    const whole = withNamesOfPath(this.complete?.(operation, given) ?? given, body);
    this.#expectOwn(operation, whole);
    const input = needsEntityTag(operation, whole)
      ? await withEntityTag(this, operation, whole)
      : whole;
    const { api } = this.implementation;
    try {
      const response = await this.send(requestOf(operation, input));
      if (this.#isOtherUser) {
        // Under the same name, this user may have something that the run did not make.
        this.#countOfOther(operation, response);
      } else {
        this.made(operationId, input, response);
      }
      api.look?.(this.implementation, operation, response);
      if (this.checksResponses) {
        if (isSuccessOf(operation, response.status)) {
          api.expectAgreement?.(this.implementation, operation, input, response);
        }
        await api.checkResponse?.({ operationId, input, response });
      }
      return response;
    } catch (error) {
      // The service may have done it all the same.
      if (error instanceof NoResponse && error.kind !== 'refused' && !this.#isOtherUser) {
        this.#tracker.observe(operation, input, undefined);
      }
      this.#expectEvents(operation, error);
      throw error;
    }
  }

  /** What the other user has perhaps made is not removed, since its name says too little. */
  #countOfOther(operation: Operation, { status }: HttpResponse): void {
    if (operation.method === 'POST' && status === 201) {
      countMade(this.implementation.perhapsMade, operation);
    }
  }

  /** @throws NotPossible for a stream that had nothing to send in time */
  #expectEvents(operation: Operation, error: unknown): void {
    const isLate = error instanceof NoResponse && error.kind === 'late';
    if (isLate && this.allowsSilentStreams && isStream(this.implementation.contract, operation)) {
      throw new NotPossible(`${operation.operationId} streams, and had nothing to send in time`);
    }
  }

  /**
   * A resource that the user names, or that existed before the run, is read, and never changed,
   * unless the user allows the operation.
   * @throws NotPossible
   */
  #expectOwn(operation: Operation, { path: values = {} }: CallInput): void {
    const { operationId, method } = operation;
    const { lent, api } = this.implementation;
    const changes = method === 'PUT' || method === 'PATCH' || method === 'DELETE';
    if (!changes || api.mayChangeLent?.(operationId)) {
      return;
    }
    if (existedBefore(this.implementation, operation, values)) {
      const reason = 'the service gave an item that was there before the run';
      throw new NotPossible(`${reason}: --allow ${operationId} lets it be changed`);
    }
    const last = pathParameters(operation).at(-1);
    if (last && lent.has(`${last.name}=${values[last.name]}`)) {
      throw new NotPossible(`--data names what ${operationId} would change: --allow lets it`);
    }
  }

  async send(sending: Sending): Promise<HttpResponse> {
    const { client, otherUser } = this.implementation;
    const own = client.authorized(sending);
    const whole = otherUser && this.#isOtherUser ? asSentBy(otherUser, own) : own;
    return this.#exchange(whole, () => client.send(whole));
  }

  async sendRaw(request: RawRequest): Promise<HttpResponse> {
    const { client } = this.implementation;
    const shown: Sending = { ...request, headers: joined(request.headers) };
    const headers = [...fieldsBeside(client, shown), ...request.headers];
    const send = () => client.sendRaw({ ...request, headers });
    return this.#exchange(shown, send, { fields: request.headers });
  }

  async sendBytes(body: Buffer): Promise<HttpResponse> {
    const { client } = this.implementation;
    return this.#exchange({ method: BYTES, target: '', body }, () => client.sendBytes(body));
  }

  made(operationId: string, input: CallInput, response: HttpResponse): void {
    const { succeeded } = this.implementation;
    if (isSuccessOf(this.operation(operationId), response.status)) {
      succeeded[operationId] = (succeeded[operationId] ?? 0) + 1;
    }
    this.#tracker.observe(this.operation(operationId), input, response);
  }

  async #exchange(
    sending: Sending,
    send: () => Promise<RawResponse>,
    more: Pick<RecordedExchange, 'fields'> = {},
  ): Promise<HttpResponse> {
    this.#expectThere();
    const exchange: RecordedExchange = { ...this.#recorded(sending), ...more };
    this.#expectNotBarred(exchange);
    this.exchanges.push(exchange);
    const { suspects } = this.implementation;
    const begun = performance.now();
    try {
      const received = await send();
      suspects.responded(this.exchanges, exchange);
      this.#expectOnce(sending.method, received);
      const response = new HttpResponse(received);
      const { status, headers, text } = response;
      exchange.response = { status, headers, body: text.slice(0, MAX_RECORDED) };
      if (status >= 500 && this.notesServerErrors) {
        noteServerError(this.implementation, this.#stepsTo(exchange));
      }
      expectUsable(response);
      if (status === 429) {
        await this.#endAtLimit(exchange, headers);
      }
      return response;
    } catch (error) {
      if (error instanceof NoResponse) {
        exchange.error = error.message;
        if (SIGNS_OF_A_STOP.has(error.kind)) {
          suspects.lost(begun, this.#stepsTo(exchange), error);
        }
      }
      throw error;
    }
  }

  /** @throws BrokenOff if nothing more is sent, or if the service has stopped in this case */
  #expectThere(): void {
    const { halted, presence } = this.implementation;
    if (halted !== undefined) {
      throw new BrokenOff(halted);
    }
    if (presence.isAway || presence.times !== this.#timesAway) {
      throw new BrokenOff('the service stopped meanwhile');
    }
  }

  /**
   * @throws Blocked for an operation that is not called any more, since it stops the service, or
   *   not yet again, since it is limited
   */
  #expectNotBarred({ request }: RecordedExchange): void {
    const { contract, client, presence, limited } = this.implementation;
    if (presence.barred.size === 0 && !limited.areThere) {
      return;
    }
    const { operationId } = operationAt(contract, client, request) ?? {};
    if (operationId === undefined) {
      return;
    }
    if (presence.barred.has(operationId)) {
      throw new Blocked(operationId, 'it stops the service');
    }
    if (limited.has(operationId)) {
      throw new Blocked(operationId, LIMITED);
    }
  }

  /**
   * After a 429 that waiting did not end.
   * @throws Blocked if other operations are served, BrokenOff if not
   */
  async #endAtLimit({ request }: RecordedExchange, headers: HttpResponse['headers']) {
    const { contract, client, limited } = this.implementation;
    const { operationId } = operationAt(contract, client, request) ?? {};
    if (operationId === undefined || !(await client.servesOthers(request.url))) {
      throw new BrokenOff(
        'the service limits requests (429), also after waiting: lower --rate or --concurrency',
      );
    }
    limited.add(operationId, askedWait(headers));
    throw new Blocked(operationId, LIMITED);
  }

  /** The exchanges that lead to this one. */
  #stepsTo(exchange: RecordedExchange): RecordedExchange[] {
    return this.exchanges.slice(0, this.exchanges.indexOf(exchange) + 1);
  }

  #recorded({ method, target, headers = {}, body }: Sending): RecordedExchange {
    const url = this.implementation.client.urlOf(target);
    const text = body === undefined ? null : body.toString('utf8');
    const request = { method, url, headers, body: text };
    const exchange: RecordedExchange = { request, response: null };
    if (this.#isGrouping) {
      exchange.group = this.#group;
    }
    if (Buffer.isBuffer(body)) {
      exchange.raw = body;
    }
    return exchange;
  }

  /**
   * @throws ResponseLost if the request was sent twice, and the response may be due to the first
   * time
   */
  #expectOnce(method: string, { status, resent }: RawResponse): void {
    if (!resent) {
      return;
    }
    // It is unknown which of the two requests deleted it; in a race, it is also unknown what
    // happened between the two.
    const isGone = method === 'DELETE' && status === 404;
    const isRace = this.#racing > 0 && method !== 'GET';
    if (isGone || isRace) {
      const reason = 'it was sent again, and the first one may have been carried out';
      throw new ResponseLost('closed', reason);
    }
  }

  async shared<T>(make: (session: Session) => Promise<T>): Promise<T> {
    if (this.#shared === undefined) {
      return make(this);
    }
    this.#isSharing = true;
    return this.#shared.take(this, make);
  }

  async together<T>(start: () => Promise<T>[]): Promise<T[]> {
    this.#group++;
    this.#isGrouping = true;
    this.#racing++;
    const running = start();
    this.#isGrouping = false;
    // No request may be under way any more when the case is over, even if one fails.
    await Promise.allSettled(running);
    this.#racing--;
    return Promise.all(running);
  }

  async asOtherUser<T>(act: () => Promise<T>): Promise<T> {
    this.#isOtherUser = true;
    try {
      return await act();
    } finally {
      this.#isOtherUser = false;
    }
  }

  claim(name: string): boolean {
    const isFree = this.implementation.claimed.claim(name);
    if (isFree) {
      this.#claimed.push(name);
    }
    return isFree;
  }

  get removals(): Sending[] {
    const own = this.#tracker.removals();
    if (this.#shared === undefined || !this.#isSharing) {
      return own;
    }
    return [...own, ...this.#shared.removals];
  }

  async cleanUp(failed: boolean): Promise<void> {
    await this.implementation.presence.whenBack();
    await this.#tracker.cleanUp(failed);
    for (const name of this.#claimed.splice(0)) {
      this.implementation.claimed.release(name);
    }
  }
}

const LIMITED = 'its requests are limited (429)';

/** @throws NotPossible */
function expectUsable({ isPartial, mediaType }: HttpResponse): void {
  if (isPartial && isJson(mediaType)) {
    throw new NotPossible('the response is longer than what the suite keeps of a JSON text');
  }
}

/** The result of a `make`, and the session that removes it. */
interface Made {
  maker: CaseSession;
  value: Promise<unknown>;
}

/**
 * A value that the cases of a requirement share and do not change: made once, and again after a
 * case that failed.
 */
export class Shared {
  #made: Made | undefined;

  /**
   * The value, which `make` makes unless it is there already. A requirement shares one value.
   * @throws what `make` throws
   */
  async take<T>(user: Session, make: (maker: Session) => Promise<T>): Promise<T> {
    this.#made ??= madeFor(user.implementation, make);
    const { maker, value } = this.#made;
    try {
      return (await value) as T;
    } finally {
      // To the reader of a failure, each case made it.
      user.exchanges.push(...maker.exchanges);
    }
  }

  get removals(): Sending[] {
    return this.#made?.maker.removals ?? [];
  }

  /** Removes it; the next case makes it again. */
  async renew(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    await made?.maker.cleanUp(false);
  }
}

function madeFor(implementation: Implementation, make: (maker: Session) => Promise<unknown>): Made {
  const maker = new CaseSession(implementation);
  return { maker, value: make(maker) };
}
