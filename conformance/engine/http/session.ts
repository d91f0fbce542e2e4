/** One case: its exchanges, kept to be shown and sent again, and what it leaves to be cleaned up. */
import { isDeepStrictEqual } from 'node:util';
import { type Operation, successOf } from '../contract/operations.ts';
import { isJson } from '../contract/media-types.ts';
import { isObject } from '../contract/pointers.ts';
import type { components } from '../../../generated/report/types.ts';
import { type CallInput, requestOf, requestTargetOf, type Sending } from './call.ts';
import type { RawRequest } from './client.ts';
import {
  type Implementation,
  operationBeside,
  type Tracker,
  withoutCredentials,
} from './implementation.ts';
import { needsEntityTag, withEntityTag } from './preconditions.ts';
import { BrokenOff, expectThat, NotPossible } from './nonconformity.ts';
import { HttpResponse, joined, NoResponse, type RawResponse, ResponseLost } from './response.ts';

type Exchange = components['schemas']['Exchange'];

export interface RecordedExchange extends Exchange {
  /** Exchanges with the same number were under way at once. */
  group?: number;
  raw?: Buffer;
  /** The header fields one by one, where several have one name or one is empty. */
  fields?: RawRequest['headers'];
}

/** In place of the method, where bytes were sent that need not be a request. */
export const BYTES = 'bytes';

/** In characters; a report shows less, and what a script needs of a response stands at its beginning. */
const MAX_RECORDED = 200_000;

export class Session {
  readonly implementation: Implementation;
  readonly exchanges: RecordedExchange[] = [];
  /** Adds to each call what its operation cannot be without. */
  complete?: (operation: Operation, input: CallInput) => CallInput;
  readonly #tracker: Tracker;
  readonly #shared: Shared | undefined;
  readonly #around: ReturnType<typeof around> | undefined;
  #sharing = false;
  #group = 0;
  #grouped = false;
  /** How many `together` are under way. */
  #racing = 0;

  /** @param shared with other cases; by default nothing is @param seed says around which calls it reads; else none */
  constructor(implementation: Implementation, shared?: Shared, seed?: number) {
    this.implementation = implementation;
    this.#shared = shared;
    if (seed !== undefined) {
      this.#around = around(implementation, seed, (sending) => this.send(sending));
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

  /** Calls an operation, and reads around it what a cache may keep. @throws Nonconformity, NoResponse, BrokenOff */
  async callAround(operationId: string, input: CallInput): Promise<HttpResponse> {
    if (this.#racing > 0) {
      return this.call(operationId, input);
    }
    const check = await this.#around?.(this.operation(operationId), input);
    const response = await this.call(operationId, input);
    await check?.(response);
    return response;
  }

  /** Calls an operation. @throws NoResponse, BrokenOff */
  async call(operationId: string, given: CallInput = {}): Promise<HttpResponse> {
    const operation = this.operation(operationId);
    const input = await this.#conditional(operation, this.complete?.(operation, given) ?? given);
    try {
      const response = await this.send(requestOf(operation, input));
      this.#count(operationId, response);
      this.#tracker.observe(operation, input, response);
      this.implementation.api.look?.(this.implementation, operation, response);
      await this.implementation.api.checkResponse?.({ operationId, input, response });
      return response;
    } catch (error) {
      // The service may have done it all the same.
      if (error instanceof NoResponse && error.kind !== 'refused') {
        this.#tracker.observe(operation, input, undefined);
      }
      throw error;
    }
  }

  /** The call with the entity tag of its item, if the operation asks for it. */
  async #conditional(operation: Operation, input: CallInput): Promise<CallInput> {
    const read = operationBeside(this.implementation, operation, 'GET');
    if (!read || !needsEntityTag(operation, input)) {
      return input;
    }
    const target = requestTargetOf(read, { path: input.path ?? {} });
    const { headers } = await this.send({ method: 'GET', target });
    return withEntityTag(input, headers['etag']);
  }

  /** @throws NoResponse, BrokenOff */
  async send(sending: Sending): Promise<HttpResponse> {
    const whole = this.implementation.client.authorized(sending);
    return this.#exchange(whole, () => this.implementation.client.send(whole));
  }

  /** Byte for byte, with headers of the suite that it lacks; reports join equal names. @throws NoResponse, BrokenOff */
  async sendRaw(request: RawRequest): Promise<HttpResponse> {
    const { client } = this.implementation;
    const shown = joined(request.headers);
    const length =
      request.body === undefined
        ? {}
        : { 'content-length': String(Buffer.byteLength(request.body)) };
    const all = {
      ...client.headers,
      ...client.authorized({ ...request, headers: {} }).headers,
      ...length,
    };
    const own = Object.entries(all).filter(([name]) => !(name.toLowerCase() in shown));
    const headers = [...own, ...request.headers];
    const fields = request.headers;
    return this.#exchange(
      { ...request, headers: shown },
      () => client.sendRaw({ ...request, headers }),
      { fields },
    );
  }

  /** Sends bytes that need not be a request. @throws NoResponse, BrokenOff */
  async sendBytes(body: Buffer): Promise<HttpResponse> {
    return this.#exchange({ method: BYTES, target: '', body }, () =>
      this.implementation.client.sendBytes(body),
    );
  }

  #count(operationId: string, { status }: HttpResponse): void {
    const { succeeded } = this.implementation;
    if (status >= 200 && status < 300) {
      succeeded[operationId] = (succeeded[operationId] ?? 0) + 1;
    }
  }

  /** Notes what a request may have made that did not go out by `call`. */
  made(operationId: string, input: CallInput, response: HttpResponse): void {
    this.#count(operationId, response);
    this.#tracker.observe(this.operation(operationId), input, response);
  }

  async #exchange(
    { method, target, headers = {}, body }: Sending,
    send: () => Promise<RawResponse>,
    more: Pick<RecordedExchange, 'fields'> = {},
  ): Promise<HttpResponse> {
    const { halted, client } = this.implementation;
    if (halted !== undefined) {
      throw new BrokenOff(halted);
    }
    const url = client.urlOf(target);
    const exchange: RecordedExchange = {
      request: { method, url, headers, body: body === undefined ? null : body.toString('utf8') },
      response: null,
      ...(this.#grouped ? { group: this.#group } : {}),
      ...(Buffer.isBuffer(body) ? { raw: body } : {}),
      ...more,
    };
    this.exchanges.push(exchange);
    try {
      const received = await send();
      // It is unknown which of the two requests deleted it; and in a race, what was done between the two.
      const isDoubtful =
        (method === 'DELETE' && received.status === 404) || (this.#racing > 0 && method !== 'GET');
      if (received.resent && isDoubtful) {
        throw new ResponseLost(
          'closed',
          'it was sent again, and the first one may have been carried out',
        );
      }
      const response = new HttpResponse(received);
      const { status, text } = response;
      exchange.response = { status, headers: response.headers, body: text.slice(0, MAX_RECORDED) };
      if (response.isPartial && isJson(response.mediaType)) {
        throw new NotPossible('the response is longer than what the suite keeps of a JSON text');
      }
      if (status === 429) {
        throw new BrokenOff(
          'the service limits requests (429), also after waiting: lower --rate or --concurrency',
        );
      }
      return response;
    } catch (error) {
      if (error instanceof NoResponse) {
        exchange.error = error.message;
      }
      throw error;
    }
  }

  /** The result of `make`, for a case that must not change it: other cases may use the same. @throws what `make` throws */
  async shared<T>(make: (session: Session) => Promise<T>): Promise<T> {
    this.#sharing = this.#shared !== undefined;
    return this.#shared ? this.#shared.take(this, make) : make(this);
  }

  /** Runs what `start` sends at once, and shows it so. */
  async together<T>(start: () => Promise<T>[]): Promise<T[]> {
    this.#group++;
    this.#grouped = true;
    this.#racing++;
    const running = start();
    this.#grouped = false;
    // None may be under way any more when the case is over, also where one fails.
    await Promise.allSettled(running);
    this.#racing--;
    return Promise.all(running);
  }

  get removals(): Sending[] {
    return [...this.#tracker.removals(), ...(this.#sharing ? this.#shared!.removals : [])];
  }

  async cleanUp(failed: boolean): Promise<void> {
    await this.#tracker.cleanUp(failed);
  }
}

/** What the cases of a requirement use together and none may change: made once, and anew after a case that failed. */
export class Shared {
  #made: { maker: Session; value: Promise<unknown> } | undefined;

  /** For one kind of thing in a requirement. @throws what `make` throws */
  async take<T>(user: Session, make: (maker: Session) => Promise<T>): Promise<T> {
    if (this.#made === undefined) {
      const maker = new Session(user.implementation);
      this.#made = { maker, value: make(maker) };
    }
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

  /** Removes it; the next case makes another one. */
  async renew(): Promise<void> {
    const made = this.#made;
    this.#made = undefined;
    await made?.maker.cleanUp(false);
  }
}

type Json = Record<string, unknown>;
type Send = (sending: Sending) => Promise<HttpResponse>;
/** By target. */
type Responses = Map<string, HttpResponse>;
type Check = (response: HttpResponse) => Promise<void>;

/** One in so many is chosen; of the changes, one in so many is looked at with the token that may only read. */
const CHANGES = 5;
const HEADERS = 2;
const READ_ONLY = 2;

/**
 * Reads the same URL around a request: what a change is about, to fill caches before it, and again after it; and a GET
 * with headers of its own without them. Only what nobody else changes is compared. @param seed says which are chosen
 */
export function around(implementation: Implementation, seed: number, send: Send) {
  let state = seed;
  const isOne = (oneIn: number): boolean => {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return (state >>> 8) % oneIn === 0;
  };
  return async (operation: Operation, input: CallInput): Promise<Check | undefined> => {
    const names = Object.keys(input.headers ?? {});
    if (operation.method === 'GET') {
      const isChosen = names.includes('authorization') || (names.length > 0 && isOne(HEADERS));
      return isChosen ? withoutHeaders(send, operation, input) : undefined;
    }
    if (!isOne(CHANGES)) {
      return undefined;
    }
    const headers = isOne(READ_ONLY) ? readOnly(implementation) : {};
    const read = (target: string) => send({ method: 'GET', target, headers });
    const before: Responses = new Map();
    for (const target of above(implementation, operation, input)) {
      before.set(target, await read(target));
    }
    return async (response) => {
      const isOld = oldIn(operation, input, before, response);
      if (!isOld) {
        return;
      }
      for (const [target, was] of before) {
        const { status, json } = await read(target);
        // Where the removed item is still there by itself, laws of the resource say so, or nothing is promised.
        if (
          operation.method === 'DELETE' &&
          target === requestTargetOf(operation, { path: input.path! })
        ) {
          if (status < 300) {
            return;
          } else {
            continue;
          }
        }
        const isStale = status < 300 && isOld(json) && isOld(was.json);
        const expected = `what ${operation.operationId} has left`;
        expectThat(!isStale, `${target} shows what was there before ${operation.method}.`, {
          expected,
          got: json,
        });
      }
    };
  };
}

/** The status is the same before and after: GET is safe (RFC 9110, 9.2.1). */
async function withoutHeaders(send: Send, operation: Operation, input: CallInput): Promise<Check> {
  const sending = requestOf(operation, { ...input, headers: {} });
  const { status } = await send(sending);
  return async () => {
    const again = await send(sending);
    const details = { expected: status, got: again.status };
    expectThat(
      status >= 300 || again.status === status,
      'A GET has changed what the next one gets.',
      details,
    );
  };
}

/** The paths that can be read and are that of the call, or begin it: the item, its list, its parent. */
function above(
  implementation: Implementation,
  { path }: Operation,
  { path: values = {} }: CallInput,
): string[] {
  return [...implementation.operations.values()]
    .filter(
      (one) =>
        one.method === 'GET' && (one.level === 'core' || implementation.level === 'extended'),
    )
    .filter((one) => one.path === path || path.startsWith(`${one.path}/`))
    .filter(
      (one) =>
        one.unsupported === undefined && withoutCredentials(implementation, one) === undefined,
    )
    .filter(({ parameters }) =>
      parameters.every((one) => (one.in === 'path' ? one.name in values : !one.required)),
    )
    .filter((one) => Object.keys(successOf(one).content).some(isJson))
    .toSorted((one, other) => other.path.length - one.path.length)
    .map((one) => requestTargetOf(one, { path: values }));
}

function readOnly({ readOnlyToken, client }: Implementation): Record<string, string> {
  const isBearer = client.headers['authorization']?.startsWith('Bearer ') === true;
  if (readOnlyToken !== undefined && isBearer) {
    return { authorization: `Bearer ${readOnlyToken}` };
  }
  return {};
}

/** Whether a value shows the item (an object with its id) as before the call; undefined where the call says nothing. */
function oldIn(operation: Operation, input: CallInput, before: Responses, response: HttpResponse) {
  const { status } = response;
  const [, parameter] = /\{([^{}]+)\}$/.exec(operation.path) ?? [];
  if (parameter === undefined || (status !== 200 && status !== 204)) {
    return undefined;
  }
  const was = before.get(requestTargetOf(operation, { path: input.path ?? {} }))?.json;
  if (!isObject(was)) {
    return undefined;
  }
  const ids = Object.keys(was).filter((name) => String(was[name]) === input.path![parameter]);
  const isRemoved = operation.method === 'DELETE';
  const now = Object(response.json) as Json;
  // A value that the response does not show may have another form there.
  const isNew = (name: string) =>
    name in was && name in now && !isDeepStrictEqual(now[name], was[name]);
  const changed = Object.keys(Object(input.json) as Json).filter(isNew);
  if (ids.length === 0 || (!isRemoved && changed.length === 0)) {
    return undefined;
  }
  const agrees = (shown: Json, due: Json, names: readonly string[]) =>
    names.every((name) => !(name in shown) || isDeepStrictEqual(shown[name], due[name]));
  return (value: unknown): boolean => {
    const items = objectsIn(value)
      .filter((shown) => ids.some((name) => shown[name] === was[name]))
      .filter((shown) => isRemoved || changed.some((name) => name in shown));
    const isShown = !isRemoved && items.some((shown) => agrees(shown, now, changed));
    return !isShown && items.some((shown) => agrees(shown, was, Object.keys(was)));
  };
}

/** All objects in a value, itself among them. */
function objectsIn(value: unknown, found: Json[] = []): Json[] {
  if (typeof value !== 'object' || value === null) {
    return found;
  }
  if (!Array.isArray(value)) {
    found.push(value as Json);
  }
  for (const one of Object.values(value)) {
    objectsIn(one, found);
  }
  return found;
}
