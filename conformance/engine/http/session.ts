/**
 * One case: what it sends, what comes back, and what it leaves to be cleaned up. Every exchange is kept, so that a
 * failure can be shown and sent again.
 */
import type { Operation } from '../contract/operations.ts';
import type { Exchange } from '../report/report.ts';
import { type RawResponse, NoResponse } from './client.ts';
import { type RawRequest, sendBytes, sendRaw } from './raw.ts';
import type { Wanted } from '../../api/subscriptions.ts';
import type { Implementation } from './implementation.ts';
import { HttpResponse, parse } from './response.ts';
import { SentSources } from '../../api/sent-sources.ts';
import type { Shared } from './shared.ts';
import { BrokenOff, NotPossible } from './undecided.ts';

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
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, in place of `json`; the Content-Type is JSON unless `headers` says otherwise. */
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export interface RecordedExchange extends Exchange {
  /** Exchanges with the same number were under way at once. */
  group?: number;
  raw?: Buffer;
}

export class Session {
  readonly implementation: Implementation;
  readonly exchanges: RecordedExchange[] = [];
  readonly #subscriptions: string[] = [];
  readonly #sources = new SentSources();
  /** Ids of the edges that the case made and did not delete; their routes go with them. */
  readonly #edges = new Set<string>();
  #group = 0;
  #grouped = false;

  readonly #shared: Shared | undefined;

  /** @param shared what it may use together with other cases; else what it uses is its own */
  constructor(implementation: Implementation, shared?: Shared) {
    this.implementation = implementation;
    this.#shared = shared;
  }

  /** An operation of the contract by its id. */
  operation(operationId: string): Operation {
    const operation = this.implementation.operations.get(operationId);
    if (!operation) throw new Error(`the contract has no operation ${operationId}`);
    return operation;
  }

  /** Calls an operation. @throws NoResponse, BrokenOff */
  async call(operationId: string, input: CallInput = {}): Promise<HttpResponse> {
    const operation = this.operation(operationId);
    try {
      const response = await this.send({
        method: operation.method,
        target: requestTargetOf(operation, input),
        ...contentOf(input),
      });
      this.#observe(operationId, input, response);
      return response;
    } catch (error) {
      // The service may have done it all the same.
      if (error instanceof NoResponse) this.#observe(operationId, input, undefined);
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
    return this.#exchange({ ...request, headers: shown }, async () => {
      await client.turn();
      return sendRaw(client, { ...request, headers });
    });
  }

  /** Sends bytes that need not be a request. @throws NoResponse, BrokenOff */
  async sendBytes(bytes: Buffer): Promise<HttpResponse> {
    const { client } = this.implementation;
    const [method = '', target = ''] = bytes.toString('latin1').split(/[ \r\n]/, 2);
    return this.#exchange({ method, target, body: bytes }, async () => {
      await client.turn();
      return sendBytes(client, bytes);
    });
  }

  async #exchange(sending: Sending, send: () => Promise<RawResponse>): Promise<HttpResponse> {
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
    };
    this.exchanges.push(exchange);
    try {
      const received = await send();
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

  /** Notes what a request may have made that did not go out by `call`. */
  made(operationId: string, input: CallInput, response: HttpResponse): void {
    this.#observe(operationId, input, response);
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

  /** Subscriptions for this case alone, all that it needs: a case asks once. @throws NotPossible */
  async subscriptions(wanted: Wanted, what = ''): Promise<string[]> {
    if (this.#subscriptions.length > 0) throw new Error('a case takes all its subscriptions in one step');
    const ids = await this.implementation.subscriptions.take(wanted);
    if (ids === undefined) {
      const needed = wanted.count === 1 ? 'a subscription' : `${wanted.count} subscriptions`;
      throw new NotPossible(`needs ${needed}${what}; give more with --subscription-id or --event-type`);
    }
    this.#subscriptions.push(...ids);
    return ids;
  }

  /** What the case may have put there. */
  get sources(): { subscription_id: string; type: string }[] {
    return this.#sources.removable(this.implementation.foreign);
  }

  /** Removes what the case made, as far as the API can. Faults do not count: the case has been judged. */
  async cleanUp(failed: boolean): Promise<void> {
    let responses = true;
    // A service that broke a promise may also have done what it refused.
    for (const source of this.#sources.removable(this.implementation.foreign, failed ? 'all that was sent' : 'made')) {
      const target = requestTargetOf(this.operation('deleteEventSource'), {
        path: { subscription_id: source.subscription_id, type: source.type },
      });
      const gone: RawResponse | undefined = responses
        ? await this.implementation.client.send({ method: 'DELETE', target }).catch(() => undefined)
        : undefined;
      responses = gone !== undefined;
      if (source.made && gone?.status !== 204 && gone?.status !== 404) this.implementation.leftBehind.sources++;
    }
    for (const id of this.#edges) {
      const gone = responses ? await this.#removeEdge(id) : false;
      if (!gone) this.implementation.leftBehind.edges++;
    }
    this.#edges.clear();
    this.implementation.subscriptions.giveBack(this.#subscriptions.splice(0));
  }

  /** False where the level does not offer it, too. */
  async #removeEdge(id: string): Promise<boolean> {
    const operation = this.implementation.operations.get('deleteEdge');
    if (!operation || (operation.level === 'extended' && this.implementation.level === 'core')) return false;
    const gone = await this.implementation.client
      .send({ method: 'DELETE', target: requestTargetOf(operation, { path: { id } }) })
      .catch(() => undefined);
    return gone?.status === 204 || gone?.status === 404;
  }

  /** @param response undefined: none came */
  #observe(operationId: string, { path, json, body }: CallInput, response: HttpResponse | undefined): void {
    const status = response?.status;
    if (operationId === 'createEdge' && status === 201) this.#trackEdge(response?.json);
    if (operationId === 'deleteEdge' && status === 204) this.#edges.delete(path?.['id'] ?? '');
    const subscription_id = path?.['subscription_id'];
    if (subscription_id === undefined) return;
    if (operationId === 'createEventSource' || operationId === 'updateEventSource') {
      const sent = json ?? (body === undefined ? undefined : parse(body.toString()));
      this.#sources.sent(subscription_id, (sent as { type?: unknown } | null | undefined)?.type, status);
    }
    if (operationId === 'deleteEventSource' && status === 204)
      this.#sources.removed(subscription_id, path?.['type'] ?? '');
  }

  #trackEdge(edge: unknown): void {
    const id = (edge as { id?: unknown } | null | undefined)?.id;
    if (typeof id === 'string') this.#edges.add(id);
    else this.implementation.leftBehind.edges++;
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
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(path[name] ?? ''));
  const pairs = Array.isArray(query) ? query : Object.entries(query);
  const search = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return search === '' ? filled : `${filled}?${search}`;
}

function contentOf({ json, body, headers }: CallInput): Pick<Sending, 'headers' | 'body'> {
  const content = body ?? (json === undefined ? undefined : JSON.stringify(json));
  if (content === undefined) return headers === undefined ? {} : { headers };
  return { body: content, headers: { 'content-type': 'application/json', ...headers } };
}
