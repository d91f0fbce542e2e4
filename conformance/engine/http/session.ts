/**
 * One case: what it sends, what comes back, and what it leaves to be cleaned up. Every exchange is kept, so that a
 * failure can be shown and sent again.
 */
import { isForm, type Operation } from '../contract/operations.ts';
import type { Tracker } from './api.ts';
import { NO_METHOD, NoResponse, type RawResponse } from './client.ts';
import { ResponseLost } from './no-response.ts';
import type { Exchange } from './exchange.ts';
import type { Implementation } from './implementation.ts';
import { type RawRequest, sendBytes, sendRaw } from './raw.ts';
import { HttpResponse } from './response.ts';
import type { Shared } from './shared.ts';
import { BrokenOff } from './undecided.ts';

export interface Sending {
  method: string;
  target: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface CallInput {
  /** Path parameters, undecoded. */
  path?: Record<string, string>;
  /** How path parameters are encoded; by default as little as RFC 3986 asks for. */
  encode?: (value: string) => string;
  /** Query parameters, undecoded. */
  query?: Record<string, string> | [string, string][];
  /** Sent as JSON, or as a form where the operation takes that. */
  json?: unknown;
  /** Sent as it is, in place of `json`; the Content-Type is JSON unless `headers` says otherwise. */
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export interface RecordedExchange extends Exchange {
  /** Exchanges with the same number were under way at once. */
  group?: number;
  raw?: Buffer;
  /** The header fields one by one, where several have one name or one is empty. */
  fields?: RawRequest['headers'];
}

/** In place of the method, where bytes were sent that need not be a request. */
export const BYTES = 'bytes';

export class Session {
  readonly implementation: Implementation;
  readonly exchanges: RecordedExchange[] = [];
  /** Adds to each call what its operation cannot be without. */
  complete?: (operation: Operation, input: CallInput) => CallInput;
  readonly #tracker: Tracker;
  #group = 0;
  #grouped = false;

  readonly #shared: Shared | undefined;

  /** @param shared what it may use together with other cases; else what it uses is its own */
  constructor(implementation: Implementation, shared?: Shared) {
    this.implementation = implementation;
    this.#shared = shared;
    this.#tracker = implementation.api.track(this);
  }

  /** An operation of the contract by its id. */
  operation(operationId: string): Operation {
    const operation = this.implementation.operations.get(operationId);
    if (!operation) throw new Error(`the contract has no operation ${operationId}`);
    return operation;
  }

  /** Calls an operation. @throws NoResponse, BrokenOff */
  async call(operationId: string, given: CallInput = {}): Promise<HttpResponse> {
    const operation = this.operation(operationId);
    const input = this.complete?.(operation, given) ?? given;
    try {
      const response = await this.send({
        method: operation.method,
        target: requestTargetOf(operation, input),
        ...contentOf(input, operation.requestBody?.mediaType),
      });
      this.#tracker.observe(operation, input, response);
      this.implementation.api.look?.(this.implementation, operation, response);
      return response;
    } catch (error) {
      // The service may have done it all the same.
      if (error instanceof NoResponse && error.kind !== 'refused') this.#tracker.observe(operation, input, undefined);
      throw error;
    }
  }

  /** @throws NoResponse, BrokenOff */
  async send(sending: Sending): Promise<HttpResponse> {
    return this.#exchange(sending, () => this.implementation.client.send(sending));
  }

  /**
   * Sends a request byte for byte, with the headers of the suite unless it has them itself. Reports show fields of one
   * name joined by a comma. @throws NoResponse, BrokenOff
   */
  async sendRaw(request: RawRequest): Promise<HttpResponse> {
    const { client } = this.implementation;
    const given = new Set(request.headers.map(([name]) => name.toLowerCase()));
    const length = request.body === undefined ? {} : { 'content-length': String(Buffer.byteLength(request.body)) };
    const own = Object.entries({ ...client.headers, ...length }).filter(([name]) => !given.has(name.toLowerCase()));
    const headers = [...own, ...request.headers];
    const shown: Record<string, string> = {};
    for (const [name, value] of request.headers)
      shown[name.toLowerCase()] = [shown[name.toLowerCase()], value].filter((one) => one !== undefined).join(', ');
    return this.#exchange(
      { ...request, headers: shown },
      () => client.sendBy(request.method, () => sendRaw(client, { ...request, headers })),
      { fields: request.headers },
    );
  }

  /** Sends bytes that need not be a request. @throws NoResponse, BrokenOff */
  async sendBytes(bytes: Buffer): Promise<HttpResponse> {
    const { client } = this.implementation;
    return this.#exchange({ method: BYTES, target: '', body: bytes }, () =>
      client.sendBy(NO_METHOD, () => sendBytes(client, bytes)),
    );
  }

  /** Notes what a request may have made that did not go out by `call`. */
  made(operationId: string, input: CallInput, response: HttpResponse): void {
    this.#tracker.observe(this.operation(operationId), input, response);
  }

  async #exchange(
    sending: Sending,
    send: () => Promise<RawResponse>,
    more: Pick<RecordedExchange, 'fields'> = {},
  ): Promise<HttpResponse> {
    const { halted } = this.implementation;
    if (halted !== undefined) throw new BrokenOff(halted);
    const exchange: RecordedExchange = {
      request: {
        method: sending.method,
        url: this.#urlOf(sending.target),
        headers: sending.headers ?? {},
        body: sending.body === undefined ? null : sending.body.toString('utf8'),
      },
      response: null,
      ...(this.#grouped ? { group: this.#group } : {}),
      ...(Buffer.isBuffer(sending.body) ? { raw: sending.body } : {}),
      ...more,
    };
    this.exchanges.push(exchange);
    try {
      const received = await send();
      // Which of the two deleted it, nobody knows.
      if (received.resent && sending.method === 'DELETE' && received.status === 404)
        throw new ResponseLost('closed', 'it was sent again, and the first one may have been carried out');
      const response = new HttpResponse(received);
      exchange.response = {
        status: response.status,
        headers: response.headers,
        body: response.text.slice(0, MAX_RECORDED),
      };
      if (response.status === 429)
        throw new BrokenOff('the service limits requests (429), also after waiting: lower --rate or --concurrency');
      return response;
    } catch (error) {
      if (error instanceof NoResponse) exchange.error = error.message;
      throw error;
    }
  }

  /** What is made by `make`, for a case that must not change it: other cases may use the same. @throws what `make` throws */
  async shared<T>(make: (session: Session) => Promise<T>): Promise<T> {
    return this.#shared ? this.#shared.take(this, make) : make(this);
  }

  /** Runs what `start` sends at once, and shows it so. */
  async together<T>(start: () => Promise<T>[]): Promise<T[]> {
    this.#group++;
    this.#grouped = true;
    const running = start();
    this.#grouped = false;
    // None may be under way any more when the case is over, also where one fails.
    await Promise.allSettled(running);
    return Promise.all(running);
  }

  /** The requests that remove what the case made. */
  get removals(): Sending[] {
    return this.#tracker.removals();
  }

  /** Removes what the case made, as far as the API can. */
  async cleanUp(failed: boolean): Promise<void> {
    await this.#tracker.cleanUp(failed);
  }

  #urlOf(target: string): string {
    return /^https?:/i.test(target) ? target : this.implementation.client.base.href.replace(/\/$/, '') + target;
  }
}

/** In characters; a report shows less, and what a script needs of a response stands at its beginning. */
const MAX_RECORDED = 200_000;

/** Path and query of a call. */
export function requestTargetOf(
  operation: Operation,
  { path = {}, query = {}, encode = encodeURIComponent }: CallInput,
): string {
  const filled = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => encode(path[name] ?? ''));
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return search === '' ? filled : `${filled}?${search}`;
}

function contentOf(
  { json, body, headers }: CallInput,
  mediaType = 'application/json',
): Pick<Sending, 'headers' | 'body'> {
  const content = body ?? (json === undefined ? undefined : isForm(mediaType) ? formOf(json) : JSON.stringify(json));
  if (content === undefined) return headers === undefined ? {} : { headers };
  return { body: content, headers: { 'content-type': mediaType, ...headers } };
}

/** As OpenAPI writes forms by default: a list repeats its name, an object within is JSON. */
function formOf(value: unknown): string {
  const form = new URLSearchParams();
  for (const [name, one] of Object.entries((value ?? {}) as object)) {
    for (const item of Array.isArray(one) ? (one as unknown[]) : [one])
      form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item));
  }
  return form.toString();
}
