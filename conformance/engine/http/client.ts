/**
 * Sends exactly what it is given, and checks nothing. After 429, every request is sent again,
 * because the service did nothing. A request that the service may have carried out (503, a lost
 * connection) is sent again only if it is idempotent (RFC 9110, section 9.2.2). A 503 without
 * `Retry-After` that comes again and again is the response.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { cookiesOf, type Sending, SERVICE_ROOT, withCookies } from './call.ts';
import { ConnectionPool } from './connection-pool.ts';
import type { Network } from './network.ts';
import { askedWait, MAX_WAIT_MS, Rate, retryAfter, sleep } from './rate.ts';
import { NO_METHOD } from './response-reader.ts';
import { NoResponse, type RawResponse, ResponseLost, UNAVAILABLE } from './response.ts';
import { type AccessToken, RenewedToken, type TokenRequest } from './tokens.ts';

/** A request byte for byte: a header twice, an empty one, or a path as it is written. */
export interface RawRequest {
  method: string;
  /** Path and query, behind the base URL, as they are written into the request line. */
  target: string;
  /**
   * In this order; a name may come several times, and a value may be empty. `Host` and `Connection`
   * are added.
   */
  headers: readonly (readonly [name: string, value: string])[];
  body?: string | Buffer;
}

export interface ClientOptions {
  /** Without a slash at its end. */
  base: string;
  /** Sent with every request that does not set them itself. Names in lower case. */
  headers: Record<string, string>;
  /**
   * Query parameters of every request that does not set them itself; an empty value takes one away.
   */
  query?: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Requests a second; default: as fast as they come. */
  rate?: number;
  connections: number;
  network?: Network;
  /** Header fields by security scheme, if several schemes use one field. */
  given?: Readonly<Record<string, Record<string, string>>>;
  /** The header fields that a request needs for its credentials. */
  fieldsFor?: (request: Sending) => Record<string, string>;
  /** Tokens that end: each is fetched again in time, and replaced in the header fields. */
  tokens?: readonly FetchedToken[];
  /** Gets each token that was fetched later, so that it can be kept out of reports. */
  onToken?: ((token: string) => void) | undefined;
  /** Header fields that are added to each request, such as its signature. */
  sign?: ((request: Signed) => Signature | Promise<Signature>) | undefined;
}

/** A token, and how it was fetched. */
export interface FetchedToken {
  request: TokenRequest;
  token: AccessToken;
}

type Signed = Sending & { headers: Record<string, string> };
type Signature = Record<string, string> | undefined;

type Fields = Readonly<Record<string, string>>;

/** Why a request is sent again. */
type Reason = 'rate_limited' | 'unavailable' | 'connection_lost';

/** The number of times that one request is sent again, by the reason. */
const MOST: Readonly<Record<Reason, number>> = {
  rate_limited: 4,
  unavailable: 3,
  connection_lost: 2,
};

/** All that the suite waits for one request that is limited. */
const LONGEST_WAITS_MS = MOST.rate_limited * MAX_WAIT_MS;

/**
 * After this number of 503 in a row without `Retry-After`, the 503 is the response to a request.
 */
const UNEXPLAINED = 3;

const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

const ABSOLUTE = /^https?:/i;

export class Client {
  readonly base: URL;
  headers: Fields;
  readonly query: Fields;
  given: ClientOptions['given'];
  readonly timeoutMs: number;
  readonly network: Network;
  /** How many requests went out. */
  sent = 0;
  /** The time in milliseconds after each response, in which nothing more is sent. */
  pauseMs = 0;
  /**
   * Gets each 429 and 503, and each other response that has `Retry-After`, also one that nobody
   * else sees, since the request is sent again.
   */
  onWait?: (request: Sending, response: RawResponse) => void;
  /**
   * `cases` were tried again from their start, since a request of theirs could not be sent again.
   */
  readonly retries = { rate_limited: 0, unavailable: 0, connection_lost: 0, cases: 0 };
  /** How many 503 without `Retry-After` came in a row, by method and target. */
  readonly #unexplained = new Map<string, number>();
  readonly #rate: Rate;
  readonly #pool: ConnectionPool;
  readonly #options: ClientOptions;
  readonly #prefix: string;
  /** The fields that go out with every request, and as they are written: they are checked once. */
  #common: Fields;
  #commonLines: string;
  readonly #tokens: readonly RenewedToken[];
  #fieldsFor: ClientOptions['fieldsFor'];
  /** Reads that succeeded, the last one first. */
  #reads: readonly Sending[] = [];

  constructor(options: ClientOptions) {
    const { headers, query = {}, given, timeoutMs, network = {}, connections } = options;
    this.base = new URL(options.base);
    this.#prefix = this.base.pathname.replace(/\/$/, '');
    this.headers = headers;
    this.query = query;
    this.given = given;
    this.timeoutMs = timeoutMs;
    this.network = network;
    this.#rate = new Rate(options.rate);
    this.#pool = new ConnectionPool({ base: this.base, timeoutMs, network, connections });
    this.#options = options;
    this.#common = { host: this.base.host, ...headers };
    this.#commonLines = linesOf(this.#common);
    this.#fieldsFor = options.fieldsFor;
    const replace = (before: string, now: string): void => this.#replace(before, now);
    this.#tokens = (options.tokens ?? []).map(
      ({ request, token }) => new RenewedToken(request, token, replace),
    );
  }

  /** Sends a new token in place of an old one from now on. */
  #replace(before: string, now: string): void {
    const replaced = (fields: Fields): Record<string, string> => {
      const entries = Object.entries(fields);
      return Object.fromEntries(
        entries.map(([name, value]) => [name, value.replace(before, () => now)]),
      );
    };
    this.headers = replaced(this.headers);
    this.#common = replaced(this.#common);
    this.#commonLines = linesOf(this.#common);
    if (this.given) {
      const schemes = Object.entries(this.given);
      this.given = Object.fromEntries(
        schemes.map(([scheme, fields]) => [scheme, replaced(fields)]),
      );
    }
    const { fieldsFor, onToken } = this.#options;
    this.#fieldsFor = fieldsFor && ((request) => replaced(fieldsFor(request)));
    onToken?.(now);
  }

  /**
   * The token of the client that the request carries; undefined if it carries no token, or another
   * one.
   */
  #tokenOf(request: Sending): RenewedToken | undefined {
    const sent = Object.values({ ...this.headers, ...request.headers });
    return this.#tokens.find(({ value }) => sent.some((field) => field.includes(value)));
  }

  /** The whole URL of a target. */
  urlOf(target: string): string {
    if (target.startsWith(SERVICE_ROOT)) {
      return this.base.origin + target.slice(SERVICE_ROOT.length);
    }
    if (ABSOLUTE.test(target)) {
      return target;
    }
    return this.base.href.replace(/\/$/, '') + target;
  }

  /** With the credentials of its operation, if these do not go out with every request. */
  authorized(request: Sending): Sending {
    const fields = this.#fieldsFor?.(request);
    if (fields) {
      return { ...request, headers: { ...fields, ...request.headers } };
    }
    return request;
  }

  /**
   * @returns a 429 only if waiting did not help
   * @throws NoResponse; ResponseLost if it must not be sent a second time
   */
  async send(given: Sending): Promise<RawResponse> {
    for (const token of this.#tokens) {
      await token.keepFresh();
    }
    const response = await this.#sendOnce(given);
    if (response.status !== 401) {
      return response;
    }
    const token = this.#tokenOf(this.authorized(given));
    if (token === undefined) {
      return response;
    }
    // A service may have ended the token early: a new one shows whether that was the reason.
    await token.renew();
    return this.#sendOnce(given);
  }

  /**
   * Whether the service responds with something else than 429 to a read that it served before, at
   * another path.
   * @param target the one that is limited
   */
  async servesOthers(target: string): Promise<boolean> {
    const path = this.#pathAlone(target);
    const other = this.#reads.find((read) => this.#pathAlone(read.target) !== path);
    if (other === undefined) {
      return false;
    }
    const exchange = await this.#exchangeOf(this.authorized(other));
    try {
      await this.#rate.turn();
      this.sent++;
      const { status } = await exchange(true);
      return status !== 429;
    } catch {
      return false;
    }
  }

  /** Keeps the last reads that succeeded, of two paths. */
  #noteRead(given: Sending, status: number): void {
    if (given.method !== 'GET' || status < 200 || status > 299) {
      return;
    }
    const path = this.#pathAlone(given.target);
    const others = this.#reads.filter((read) => this.#pathAlone(read.target) !== path);
    this.#reads = [given, ...others.slice(0, 1)];
  }

  #pathAlone(target: string): string | undefined {
    return this.urlOf(target).split('?', 1)[0];
  }

  async #sendOnce(given: Sending): Promise<RawResponse> {
    const request = this.authorized(given);
    const exchange = await this.#exchangeOf(request);
    const response = await this.#retried(request, exchange);
    this.#noteRead(given, response.status);
    return response;
  }

  /** The exchange of a request, which gets whether it must take a new connection. */
  async #exchangeOf(request: Sending): Promise<(isFresh: boolean) => Promise<RawResponse>> {
    const { method, headers } = request;
    const signature = await this.#options.sign?.({
      ...request,
      headers: { ...this.headers, ...headers },
    });
    const bytes = this.#bytesOf({ ...request, headers: { ...signature, ...headers } });
    return async (isFresh) => {
      const connection = isFresh ? this.#pool.connect() : await this.#pool.take();
      try {
        return await connection.exchange(bytes, method);
      } finally {
        this.#pool.giveBack(connection);
      }
    };
  }

  /**
   * Sends a request as it is written, on a connection that no other request uses.
   * @throws what `send` throws
   */
  async sendRaw({ method, target, headers, body = '' }: RawRequest): Promise<RawResponse> {
    const signed = { method, target, headers: Object.fromEntries(headers), body };
    const signature = (await this.#options.sign?.(signed)) ?? {};
    const lines = [
      `${method} ${this.#prefix}${target} HTTP/1.1`,
      `Host: ${this.base.host}`,
      'Connection: close',
    ];
    for (const [name, value] of [...headers, ...Object.entries(signature)]) {
      lines.push(`${name}: ${value}`);
    }
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
    const bytes = Buffer.concat([head, Buffer.from(body)]);
    return this.#retried({ method, target }, () => this.#alone(bytes, method));
  }

  /**
   * Sends bytes that need not be a request, on a connection that no other request uses.
   * @throws NoResponse
   */
  async sendBytes(bytes: Buffer): Promise<RawResponse> {
    const request = { method: NO_METHOD, target: '' };
    return this.#retried(request, () => this.#alone(bytes, NO_METHOD));
  }

  close(): void {
    this.#pool.close();
  }

  /** @param exchange gets whether it must take a new connection */
  async #retried(
    request: Sending,
    exchange: (isFresh: boolean) => Promise<RawResponse>,
  ): Promise<RawResponse> {
    const { method, target } = request;
    const times: Record<Reason, number> = { rate_limited: 0, unavailable: 0, connection_lost: 0 };
    const count = (reason: Reason): void => {
      this.retries[reason]++;
      times[reason]++;
    };
    const mayRepeat = (reason: Reason): boolean => times[reason] <= MOST[reason];
    for (;;) {
      const isRepeated = times.connection_lost > 0;
      const outcome = await this.#tryOnce(method, () => exchange(isRepeated)).catch(
        (error: unknown) => {
          throw isRepeated ? perhapsReceived(error) : error;
        },
      );
      if (outcome instanceof NoResponse) {
        count('connection_lost');
        expectIdempotent(method, outcome);
        if (!mayRepeat('connection_lost')) {
          throw outcome;
        }
        continue;
      }
      const { status, headers } = outcome;
      const name = `${method} ${target}`;
      if (asksToWait(outcome)) {
        this.onWait?.(request, outcome);
      }
      if (status !== 503) {
        this.#unexplained.delete(name);
      }
      if (status === 429) {
        count('rate_limited');
        const isInVain = !mayRepeat('rate_limited') || (await this.#isLongLimit(target, headers));
        if (isInVain) {
          return asResent(outcome, times);
        }
        // All requests wait, otherwise the others would use up the rate that this one waits for.
        this.#rate.pause(retryAfter(headers));
      } else if (status === 503 && this.#mayPass(name, headers)) {
        count('unavailable');
        if (!mayRepeat('unavailable')) {
          throw new NoResponse('unavailable', `${UNAVAILABLE}, ${times.unavailable} times`);
        }
        await sleep(retryAfter(headers));
        // A case that begins again begins after the wait.
        expectIdempotent(method, new NoResponse('unavailable', UNAVAILABLE));
      } else {
        return asResent(outcome, times);
      }
    }
  }

  /** Whether one operation is limited for longer than the suite waits, while others are served. */
  async #isLongLimit(target: string, headers: Fields): Promise<boolean> {
    const asked = askedWait(headers) ?? 0;
    return asked > LONGEST_WAITS_MS && (await this.servesOthers(target));
  }

  /**
   * Whether a 503 may be over after a time. Without `Retry-After`, one that comes again and again
   * is the response.
   * @param request its method and target
   */
  #mayPass(request: string, headers: Fields): boolean {
    if (headers['retry-after'] !== undefined) {
      return true;
    }
    const times = (this.#unexplained.get(request) ?? 0) + 1;
    this.#unexplained.set(request, times);
    return times < UNEXPLAINED;
  }

  /**
   * @returns the loss of a connection, after which a request may be sent again
   * @throws any other error
   */
  async #tryOnce(
    method: string,
    exchange: () => Promise<RawResponse>,
  ): Promise<RawResponse | NoResponse> {
    try {
      await this.#rate.turn();
      this.sent++;
      return await exchange();
    } catch (error) {
      if (error instanceof NoResponse && error.kind === 'closed' && method !== NO_METHOD) {
        return error;
      }
      throw error;
    } finally {
      if (this.pauseMs > 0) {
        await sleep(this.pauseMs);
      }
    }
  }

  async #alone(bytes: Buffer, method: string): Promise<RawResponse> {
    const connection = this.#pool.alone();
    try {
      return await connection.exchange(bytes, method);
    } finally {
      this.#pool.giveBack(connection);
    }
  }

  #bytesOf(request: Sending): Buffer {
    const content = contentOf(request);
    const size = Buffer.byteLength(content);
    const lines = this.#linesWith(this.#fieldsOf(request, size));
    const head = `${request.method} ${this.#pathOf(request.target)} HTTP/1.1\r\n${lines}\r\n`;
    // One buffer, since bodies of 1 MiB are common.
    const bytes = Buffer.allocUnsafe(head.length + size);
    bytes.write(head, 'latin1');
    if (typeof content === 'string') {
      bytes.write(content, head.length);
    } else {
      content.copy(bytes, head.length);
    }
    return bytes;
  }

  /**
   * The path and the query of the request line for a target.
   * @throws TypeError for characters that must be escaped
   */
  #pathOf(target: string): string {
    let path = this.#prefix + target;
    if (ABSOLUTE.test(target)) {
      const { pathname, search } = new URL(target);
      path = pathname + search;
    }
    for (const [name, value] of Object.entries(this.query)) {
      path = withDefault(path, name, value);
    }
    if (NOT_IN_REQUEST_LINES.test(path)) {
      throw new TypeError('a path with characters that must be escaped');
    }
    return path;
  }

  /**
   * The fields of the request that do not go out with every one.
   * @param size of its content, in bytes
   */
  #fieldsOf({ method, headers = {}, body }: Sending, size: number): Record<string, string> {
    const hasContent = body !== undefined || !WITHOUT_BODY.has(method);
    let fields: Record<string, string> = { ...headers };
    if (hasContent && !isChunked(headers)) {
      fields = { 'content-length': String(size), ...headers };
    }
    // Cookies of a request are sent beside those of every request; an empty header takes all away.
    if (headers['cookie']) {
      fields['cookie'] = withCookies(this.headers['cookie'], cookiesOf(headers['cookie']));
    }
    return fields;
  }

  /** The lines of the fields that go out with every request, and of these. */
  #linesWith(fields: Fields): string {
    if (Object.keys(fields).some((name) => Object.hasOwn(this.#common, name))) {
      return linesOf({ ...this.#common, ...fields });
    }
    return this.#commonLines + linesOf(fields);
  }
}

/** The service may have got the request the first time. */
function perhapsReceived(error: unknown): unknown {
  if (error instanceof NoResponse) {
    error.wasSent = true;
  }
  return error;
}

/** @throws ResponseLost if the method is not idempotent: the request may have been carried out */
function expectIdempotent(method: string, cause: NoResponse): void {
  if (!IDEMPOTENT.has(method)) {
    throw new ResponseLost(cause.kind, cause.message, { cause });
  }
}

/** The response to a request, which says whether the request may have been carried out before. */
function asResent(response: RawResponse, times: Readonly<Record<Reason, number>>): RawResponse {
  if (times.unavailable + times.connection_lost === 0) {
    return response;
  }
  return { ...response, resent: true };
}

/** Characters that no request line may have. */
const NOT_IN_REQUEST_LINES = /[^!-\xff]/;

/** A path and its query, apart. */
const QUERY = /\?(.*)/s;

/**
 * The path with this query parameter, unless it has it. Without a value in the path, the parameter
 * is taken away.
 */
function withDefault(path: string, name: string, value: string): string {
  const [start = '', search = ''] = path.split(QUERY, 2);
  const encoded = encodeURIComponent(name);
  const all = search.split('&');
  const own = all.find((pair) => pair.startsWith(`${encoded}=`));
  if (own !== undefined && own !== `${encoded}=`) {
    return path;
  }
  const pairs = all.filter((pair) => pair !== own && pair !== '');
  if (own === undefined) {
    pairs.push(`${encoded}=${encodeURIComponent(value)}`);
  }
  if (pairs.length === 0) {
    return start;
  }
  return `${start}?${pairs.join('&')}`;
}

/** @throws TypeError for a field that cannot be sent */
function linesOf(fields: Fields): string {
  let lines = '';
  for (const [name, value] of Object.entries(fields)) {
    if (value === '') {
      continue;
    }
    validateHeaderName(name);
    validateHeaderValue(name, value);
    lines += `${name}: ${value}\r\n`;
  }
  return lines;
}

/** Whether a client may wait after the response, and send the request again. */
function asksToWait({ status, headers }: RawResponse): boolean {
  return status === 429 || status === 503 || headers['retry-after'] !== undefined;
}

/** Methods whose requests carry no Content-Length if they have no body. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

const isChunked = (headers: Fields): boolean => headers['transfer-encoding'] !== undefined;

/** The body as it goes out, which is empty if there is none. */
function contentOf({ headers = {}, body = '' }: Sending): string | Buffer {
  if (isChunked(headers)) {
    return inOneChunk(Buffer.from(body));
  }
  return body;
}

function inOneChunk(content: Buffer): Buffer {
  const end = Buffer.from('0\r\n\r\n');
  if (content.length === 0) {
    return end;
  }
  const size = Buffer.from(`${content.length.toString(16)}\r\n`);
  return Buffer.concat([size, content, Buffer.from('\r\n'), end]);
}
