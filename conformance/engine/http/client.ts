/**
 * An HTTP client that sends exactly what it is given and checks nothing: undecodable paths, bodies that are not JSON,
 * any method. It keeps connections alive, holds to a rate, sends again what may be sent again (`retries.ts`), and knows
 * the difference between a response and none.
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import { Connection } from './connection.ts';
import { NoResponse, ResponseLost } from './no-response.ts';
import { Rate } from './rate.ts';
import { isIdempotent, MOST, noRetries, type Retries, retryAfter } from './retries.ts';

export { NoResponse } from './no-response.ts';

export interface HttpRequest {
  method: string;
  /** Path and query as they go out, behind the base URL; or an absolute URL on the same host. */
  target: string;
  /** Names in lower case. An empty value takes away what is sent by default. */
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface RawResponse {
  status: number;
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
  /** The request had been sent before, and that time it may have been carried out. */
  resent?: true;
}

export interface ClientOptions {
  /** Without a slash at its end. */
  base: string;
  /** Sent with every request that does not set them itself. */
  headers: Record<string, string>;
  /** Query parameters of every request that does not set them itself; an empty value takes one away. */
  query?: Readonly<Record<string, string>>;
  timeoutMs: number;
  /** Requests a second; undefined: as fast as they come. */
  rate?: number;
  /** Connections at once. */
  connections: number;
}

/** Of what is no request: a connection that ends is a response to it. */
export const NO_METHOD = '';

export class Client {
  readonly base: URL;
  /** How many requests went out. */
  sent = 0;
  readonly retries: Retries = noRetries();
  readonly #options: ClientOptions;
  readonly #rate: Rate;
  readonly #open = new Set<Connection>();
  /** Those that no exchange uses, the last one used at the end. */
  readonly #idle: Connection[] = [];
  /** Exchanges that wait for a connection. */
  readonly #waiting: ((connection: Connection) => void)[] = [];

  constructor(options: ClientOptions) {
    this.base = new URL(options.base);
    this.#options = options;
    this.#rate = new Rate(options.rate);
  }

  /** What goes out with every request that does not set it itself. Names in lower case. */
  get headers(): Readonly<Record<string, string>> {
    return this.#options.headers;
  }

  get query(): Readonly<Record<string, string>> {
    return this.#options.query ?? {};
  }

  get timeoutMs(): number {
    return this.#options.timeoutMs;
  }

  /**
   * The response; a 429 only where waiting did not help. @throws ResponseLost where the request may have been carried
   * out and must not be sent again. @throws NoResponse
   */
  async send(request: HttpRequest): Promise<RawResponse> {
    return this.#retried(request.method, (fresh) => this.#exchange(request, fresh));
  }

  /** The same for a request that goes out another way, such as byte for byte. @throws what `send` throws */
  async sendBy(method: string, exchange: () => Promise<RawResponse>): Promise<RawResponse> {
    return this.#retried(method, async () => {
      await this.#turn();
      return exchange();
    });
  }

  /** @param exchange gets whether it must take a new connection */
  async #retried(method: string, exchange: (fresh: boolean) => Promise<RawResponse>): Promise<RawResponse> {
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
        response = await exchange(times.connection_lost > 0);
      } catch (error) {
        if (!(error instanceof NoResponse) || error.kind !== 'closed' || method === NO_METHOD) throw error;
        const may = again('connection_lost');
        if (!isIdempotent(method)) throw new ResponseLost('closed', error.message, { cause: error });
        if (!may) throw error;
        continue;
      }
      if (response.status === 429 && again('rate_limited')) {
        // All requests wait, or the others would use up what this one waits for.
        this.#rate.pause(retryAfter(response));
      } else if (response.status === 503 && response.headers['retry-after'] !== undefined) {
        const may = again('unavailable');
        if (!isIdempotent(method)) throw new ResponseLost('unavailable', UNAVAILABLE);
        if (!may) throw new NoResponse('unavailable', `${UNAVAILABLE}, ${times.unavailable} times`);
        await new Promise((resolve) => setTimeout(resolve, retryAfter(response)));
      } else return resent ? { ...response, resent } : response;
    }
  }

  /** Waits until a request may be sent, and counts it. */
  async #turn(): Promise<void> {
    await this.#rate.turn();
    this.sent++;
  }

  close(): void {
    for (const connection of this.#open) connection.close();
  }

  async #exchange(request: HttpRequest, fresh: boolean): Promise<RawResponse> {
    const bytes = this.#bytesOf(request);
    await this.#turn();
    const connection = await this.#take(fresh);
    try {
      return await connection.exchange(bytes, request.method, this.#options.timeoutMs);
    } finally {
      this.#giveBack(connection);
    }
  }

  /** An idle connection or a new one; where there are as many as there may be, one that comes back. */
  async #take(fresh: boolean): Promise<Connection> {
    if (fresh) return this.#connect();
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      if (idle.isIdle) return idle;
      idle.close();
      this.#open.delete(idle);
    }
    if (this.#open.size >= this.#options.connections)
      return new Promise((resolve) => {
        this.#waiting.push(resolve);
      });
    return this.#connect();
  }

  #connect(): Connection {
    const connection = new Connection(this.base);
    this.#open.add(connection);
    return connection;
  }

  #giveBack(connection: Connection): void {
    if (!connection.isIdle) this.#open.delete(connection);
    const next = this.#waiting.shift();
    if (next) next(connection.isIdle ? connection : this.#connect());
    else if (connection.isIdle) this.#idle.push(connection);
  }

  #bytesOf({ method, target, headers = {}, body }: HttpRequest): Buffer {
    const path = this.#pathOf(target);
    if (/[^!-\xff]/.test(path)) throw new TypeError('a path with characters that must be escaped');
    const { 'transfer-encoding': coding } = headers;
    const content = Buffer.from(body ?? '');
    const hasLength = coding === undefined && (body !== undefined || !WITHOUT_BODY.has(method));
    const length = hasLength ? { 'content-length': String(content.length) } : {};
    const all = this.#options.headers;
    const fields = { host: this.base.host, ...all, ...length, ...withCookies(all, headers) };
    let head = `${method} ${path} HTTP/1.1\r\n`;
    for (const [name, value] of Object.entries(fields)) {
      if (value === '') continue;
      validateHeaderName(name);
      validateHeaderValue(name, value);
      head += `${name}: ${value}\r\n`;
    }
    const parts = [Buffer.from(`${head}\r\n`, 'latin1'), content];
    return Buffer.concat(coding === undefined ? parts : [parts[0]!, ...inOneChunk(content)]);
  }

  #pathOf(target: string): string {
    const prefix = this.base.pathname.replace(/\/$/, '');
    if (!/^https?:/i.test(target)) return this.#withQuery(prefix + target);
    const url = new URL(target);
    return this.#withQuery(url.pathname + url.search);
  }

  #withQuery(target: string): string {
    return Object.entries(this.query).reduce((path, [name, value]) => {
      const [start = '', search = ''] = path.split(/\?(.*)/s, 2);
      const encoded = encodeURIComponent(name);
      const own = search.split('&').find((pair) => pair.startsWith(`${encoded}=`));
      if (own !== undefined && own !== `${encoded}=`) return path;
      const pairs = search.split('&').filter((pair) => pair !== own && pair !== '');
      if (own === undefined) pairs.push(`${encoded}=${encodeURIComponent(value)}`);
      return pairs.length === 0 ? start : `${start}?${pairs.join('&')}`;
    }, target);
  }
}

const UNAVAILABLE = 'the service is unavailable (503 with Retry-After)';

/** Cookies of a request stand beside those of all, or take their place; an empty header takes them all away. */
function withCookies(all: Record<string, string>, own: Record<string, string>): Record<string, string> {
  if (!all['cookie'] || !own['cookie']) return own;
  const names = new Set(own['cookie'].split('; ').map((pair) => pair.split('=', 1)[0]));
  const others = all['cookie'].split('; ').filter((pair) => !names.has(pair.split('=', 1)[0]!));
  return { ...own, cookie: [...others, own['cookie']].join('; ') };
}

/** Methods whose requests say nothing of a body where they have none. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

function inOneChunk(content: Buffer): Buffer[] {
  const chunk =
    content.length === 0 ? [] : [Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from('\r\n')];
  return [...chunk, Buffer.from('0\r\n\r\n')];
}
