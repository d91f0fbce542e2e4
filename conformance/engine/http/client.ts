/**
 * Sends exactly what it is given, and checks nothing. After 429, which did nothing, all is sent again; what may have
 * been carried out (503 with `Retry-After`, a lost connection), if it is idempotent (RFC 9110, section 9.2.2).
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { cookiesOf, type Sending, SERVICE_ROOT, withCookies } from './call.ts';
import { Connection } from './connection.ts';
import type { Network } from './network.ts';
import { NoResponse, type RawResponse, ResponseLost } from './response.ts';
import { type AccessToken, RenewedToken, type TokenRequest } from './tokens.ts';

/** A request byte for byte: a header twice, an empty one, or a path as it is written. */
export interface RawRequest {
  method: string;
  /** Path and query, behind the base URL, as they are written into the request line. */
  target: string;
  /** In this order; a name may come several times, and a value may be empty. `Host` and `Connection` are added. */
  headers: readonly (readonly [name: string, value: string])[];
  body?: string | Buffer;
}

export interface ClientOptions {
  /** Without a slash at its end. */
  base: string;
  /** Sent with every request that does not set them itself. Names in lower case. */
  headers: Record<string, string>;
  /** Query parameters of every request that does not set them itself; an empty value takes one away. */
  query?: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Requests a second; undefined: as fast as they come. */
  rate?: number;
  connections: number;
  network?: Network;
  /** Header fields by security scheme, where several go to one place, and those that a request needs. */
  given?: Readonly<Record<string, Record<string, string>>>;
  fieldsFor?: (request: Sending) => Record<string, string>;
  /** Tokens that end: each is fetched again in time, and replaced in the header fields. */
  tokens?: readonly { request: TokenRequest; token: AccessToken }[];
  /** Gets each token that was fetched later, for whom keeps secrets out of reports. */
  onToken?: ((token: string) => void) | undefined;
  /** Header fields that are added to each request, such as its signature. */
  sign?: ((request: Signed) => Signature | Promise<Signature>) | undefined;
}

type Signed = Sending & { headers: Record<string, string> };
type Signature = Record<string, string> | undefined;

/** How often one request is sent again, by what happened to it. */
const MOST = { rate_limited: 4, unavailable: 3, connection_lost: 2 } as const;

const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);

/** The longest that the suite waits when it is told to. */
const MAX_WAIT_MS = 5_000;
/** For a 429 that does not say how long. */
const DEFAULT_WAIT_MS = 1_000;

/** How long `Retry-After` asks to wait, in milliseconds. */
function retryAfter(headers: Readonly<Record<string, string>>): number {
  const value = headers['retry-after'] ?? '';
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  if (Number.isNaN(ms)) {
    return DEFAULT_WAIT_MS;
  }
  return Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}

/** Spaces requests out, so that no second has more than the rate, and holds them back when the service asks for it. */
export class Rate {
  readonly #interval: number;
  #next = 0;

  /** @param perSecond by default, there is no limit */
  constructor(perSecond = Infinity) {
    this.#interval = 1000 / perSecond;
  }

  async turn(): Promise<void> {
    const now = performance.now();
    const at = Math.max(now, this.#next);
    if (this.#interval > 0) {
      this.#next = at + this.#interval;
    }
    if (at > now) {
      await new Promise((resolve) => setTimeout(resolve, at - now));
    }
  }

  /** No turn begins within the next so many milliseconds. */
  pause(ms: number): void {
    this.#next = Math.max(this.#next, performance.now() + ms);
  }
}

/** Stands for the method of bytes that need not be a request: a connection that ends is a response to them. */
const NO_METHOD = '';

export class Client {
  readonly base: URL;
  headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  given: ClientOptions['given'];
  readonly timeoutMs: number;
  readonly network: Network;
  /** How many requests went out. */
  sent = 0;
  /** `cases` were tried again from their start, since a request of theirs could not be sent again. */
  readonly retries = { rate_limited: 0, unavailable: 0, connection_lost: 0, cases: 0 };
  readonly #rate: Rate;
  readonly #options: ClientOptions;
  readonly #prefix: string;
  /** The fields that go out with every request, and as they are written: they are checked once. */
  #common: Readonly<Record<string, string>>;
  #commonLines: string;
  readonly #tokens: readonly RenewedToken[];
  #fieldsFor: ClientOptions['fieldsFor'];
  readonly #open = new Set<Connection>();
  /** Connections that no exchange uses, the last one used at the end. */
  readonly #idle: Connection[] = [];
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(options: ClientOptions) {
    this.base = new URL(options.base);
    this.#prefix = this.base.pathname.replace(/\/$/, '');
    this.headers = options.headers;
    this.query = options.query ?? {};
    this.given = options.given;
    this.timeoutMs = options.timeoutMs;
    this.network = options.network ?? {};
    this.#rate = new Rate(options.rate);
    this.#options = options;
    this.#common = { host: this.base.host, ...options.headers };
    this.#commonLines = linesOf(this.#common);
    this.#fieldsFor = options.fieldsFor;
    this.#tokens = (options.tokens ?? []).map(
      ({ request, token }) =>
        new RenewedToken(request, token, (before, now) => this.#replace(before, now)),
    );
  }

  /** Sends a new token in place of an old one from now on. */
  #replace(before: string, now: string): void {
    const replaced = (fields: Readonly<Record<string, string>>) =>
      Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [name, value.replace(before, () => now)]),
      );
    this.headers = replaced(this.headers);
    this.#common = replaced(this.#common);
    this.#commonLines = linesOf(this.#common);
    if (this.given) {
      this.given = Object.fromEntries(
        Object.entries(this.given).map(([scheme, fields]) => [scheme, replaced(fields)]),
      );
    }
    const { fieldsFor, onToken } = this.#options;
    this.#fieldsFor = fieldsFor && ((request) => replaced(fieldsFor(request)));
    onToken?.(now);
  }

  /** The token that the request carries; undefined if it carries none, or one of its own. */
  #tokenOf(request: Sending): RenewedToken | undefined {
    const sent = Object.values({ ...this.headers, ...request.headers });
    return this.#tokens.find(({ value }) => sent.some((field) => field.includes(value)));
  }

  /** The whole URL of a target. */
  urlOf(target: string): string {
    if (target.startsWith(SERVICE_ROOT)) {
      return this.base.origin + target.slice(SERVICE_ROOT.length);
    }
    return /^https?:/i.test(target) ? target : this.base.href.replace(/\/$/, '') + target;
  }

  /** With the credentials of its operation, where these do not go out with every request. */
  authorized(request: Sending): Sending {
    const fields = this.#fieldsFor?.(request);
    if (fields) {
      return { ...request, headers: { ...fields, ...request.headers } };
    }
    return request;
  }

  /** A 429 only where waiting did not help. @throws NoResponse; ResponseLost where it must not be sent a second time */
  async send(given: Sending): Promise<RawResponse> {
    for (const token of this.#tokens) {
      await token.keepFresh();
    }
    const response = await this.#sendOnce(given);
    const token = response.status === 401 ? this.#tokenOf(this.authorized(given)) : undefined;
    if (token === undefined) {
      return response;
    }
    // A service may have ended the token early: a new one shows whether that was the reason.
    await token.renew();
    return this.#sendOnce(given);
  }

  async #sendOnce(given: Sending): Promise<RawResponse> {
    const request = this.authorized(given);
    const signature = await this.#options.sign?.({
      ...request,
      headers: { ...this.headers, ...request.headers },
    });
    const bytes = this.#bytesOf({ ...request, headers: { ...signature, ...request.headers } });
    return this.#retried(request.method, async (fresh) => {
      const connection = await this.#take(fresh);
      try {
        return await connection.exchange(bytes, request.method);
      } finally {
        this.#giveBack(connection);
      }
    });
  }

  /** Sends a request as it is written, on a connection of its own. @throws what `send` throws */
  async sendRaw({ method, target, headers, body = '' }: RawRequest): Promise<RawResponse> {
    const signature = await this.#options.sign?.({
      method,
      target,
      headers: Object.fromEntries(headers),
      body,
    });
    const lines = [
      `${method} ${this.#prefix}${target} HTTP/1.1`,
      `Host: ${this.base.host}`,
      'Connection: close',
      ...[...headers, ...Object.entries(signature ?? {})].map((field) => field.join(': ')),
    ];
    const bytes = Buffer.concat([
      Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'),
      Buffer.from(body),
    ]);
    return this.#retried(method, () => this.#alone(bytes, method));
  }

  /** Sends bytes that need not be a request, on a connection of their own. @throws NoResponse */
  async sendBytes(bytes: Buffer): Promise<RawResponse> {
    return this.#retried(NO_METHOD, () => this.#alone(bytes, 'GET'));
  }

  close(): void {
    for (const connection of this.#open) {
      connection.close();
    }
  }

  /** @param exchange gets whether it must take a new connection */
  async #retried(
    method: string,
    exchange: (fresh: boolean) => Promise<RawResponse>,
  ): Promise<RawResponse> {
    const times = { rate_limited: 0, unavailable: 0, connection_lost: 0 };
    /** Counts it, and says whether the request may be sent once more. */
    const again = (what: keyof typeof times): boolean => {
      this.retries[what]++;
      return ++times[what] <= MOST[what];
    };
    for (;;) {
      const resent = times.unavailable + times.connection_lost > 0;
      let response: RawResponse;
      try {
        await this.#rate.turn();
        this.sent++;
        response = await exchange(times.connection_lost > 0);
      } catch (error) {
        if (!(error instanceof NoResponse) || error.kind !== 'closed' || method === NO_METHOD) {
          throw error;
        }
        const may = again('connection_lost');
        if (!IDEMPOTENT.has(method)) {
          throw new ResponseLost('closed', error.message, { cause: error });
        }
        if (!may) {
          throw error;
        }
        continue;
      }
      if (response.status === 429 && again('rate_limited')) {
        // All requests wait, or the others would use up what this one waits for.
        this.#rate.pause(retryAfter(response.headers));
      } else if (response.status === 503 && response.headers['retry-after'] !== undefined) {
        const may = again('unavailable');
        if (!IDEMPOTENT.has(method)) {
          throw new ResponseLost('unavailable', UNAVAILABLE);
        }
        if (!may) {
          throw new NoResponse('unavailable', `${UNAVAILABLE}, ${times.unavailable} times`);
        }
        await new Promise((resolve) => setTimeout(resolve, retryAfter(response.headers)));
      } else {
        return resent ? { ...response, resent } : response;
      }
    }
  }

  async #alone(bytes: Buffer, method: string): Promise<RawResponse> {
    const connection = new Connection(this.base, this.timeoutMs, this.network);
    try {
      return await connection.exchange(bytes, method);
    } finally {
      connection.close();
    }
  }

  /** An idle connection or a new one; where there are as many as there may be, the next one that comes back. */
  async #take(fresh: boolean): Promise<Connection> {
    if (fresh) {
      return this.#connect();
    }
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isIdle) {
        return idle;
      }
      idle.close();
      this.#open.delete(idle);
    }
    if (this.#open.size < this.#options.connections) {
      return this.#connect();
    }
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  #connect(): Connection {
    const connection = new Connection(this.base, this.timeoutMs, this.network);
    this.#open.add(connection);
    return connection;
  }

  #giveBack(connection: Connection): void {
    if (!connection.isIdle) {
      this.#open.delete(connection);
    }
    const next = this.#waiting.shift();
    if (next) {
      next(connection.isIdle ? connection : this.#connect());
    } else if (connection.isIdle) {
      this.#idle.push(connection);
    }
  }

  #bytesOf({ method, target, headers = {}, body }: Sending): Buffer {
    const url = /^https?:/i.test(target) ? new URL(target) : undefined;
    const path = this.#withQuery(url ? url.pathname + url.search : this.#prefix + target);
    if (/[^!-\xff]/.test(path)) {
      throw new TypeError('a path with characters that must be escaped');
    }
    const isChunked = headers['transfer-encoding'] !== undefined;
    const content = isChunked ? inOneChunk(Buffer.from(body ?? '')) : (body ?? '');
    const size = Buffer.byteLength(content);
    const hasLength = !isChunked && (body !== undefined || !WITHOUT_BODY.has(method));
    const length = hasLength ? { 'content-length': String(size) } : {};
    const own: Record<string, string> = { ...length, ...headers };
    // Cookies of a request stand beside those of all; an empty header takes them all away.
    if (headers['cookie']) {
      own['cookie'] = withCookies(this.headers['cookie'], cookiesOf(headers['cookie']));
    }
    const isOther = Object.keys(own).some((name) => name in this.#common);
    const lines = isOther ? linesOf({ ...this.#common, ...own }) : this.#commonLines + linesOf(own);
    const head = `${method} ${path} HTTP/1.1\r\n${lines}\r\n`;
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

  #withQuery(target: string): string {
    return Object.entries(this.query).reduce((path, [name, value]) => {
      const [start = '', search = ''] = path.split(/\?(.*)/s, 2);
      const encoded = encodeURIComponent(name);
      const own = search.split('&').find((pair) => pair.startsWith(`${encoded}=`));
      if (own !== undefined && own !== `${encoded}=`) {
        return path;
      }
      const pairs = search.split('&').filter((pair) => pair !== own && pair !== '');
      if (own === undefined) {
        pairs.push(`${encoded}=${encodeURIComponent(value)}`);
      }
      return pairs.length === 0 ? start : `${start}?${pairs.join('&')}`;
    }, target);
  }
}

/** @throws TypeError for a field that cannot be sent */
function linesOf(fields: Readonly<Record<string, string>>): string {
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

const UNAVAILABLE = 'the service is unavailable (503 with Retry-After)';

/** Methods whose requests carry no Content-Length where they have no body. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

function inOneChunk(content: Buffer): Buffer {
  const size = content.length === 0 ? '' : `${content.length.toString(16)}\r\n`;
  return Buffer.concat([
    Buffer.from(size),
    content,
    Buffer.from(`${size === '' ? '' : '\r\n'}0\r\n\r\n`),
  ]);
}
