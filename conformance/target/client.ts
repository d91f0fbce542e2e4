/**
 * An HTTP client that sends exactly what it is told and judges nothing: undecodable paths, bodies that are not JSON, any
 * method. It keeps connections alive, holds to a rate, and knows the difference between an answer and none.
 */
import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Rate } from './rate.ts';

export interface HttpRequest {
  method: string;
  /** Path and query as they go out, behind the base URL; or an absolute URL on the same host. */
  target: string;
  /** Names in lower case. An empty value takes away what is sent by default. */
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface HttpAnswer {
  status: number;
  /** Names in lower case; repeated ones joined by a comma. */
  headers: Record<string, string>;
  body: Buffer;
}

export interface ClientOptions {
  /** Without a slash at its end. */
  base: string;
  /** Sent with every request that does not set them itself. */
  headers: Record<string, string>;
  timeoutMs: number;
  /** Requests a second; undefined: as fast as they come. */
  rate?: number;
  /** Connections at once. */
  connections: number;
}

/** No answer came: refused, closed, not HTTP, or too late. The message says which. */
export class NoAnswer extends Error {
  override name = 'NoAnswer';
}

/** The longest that the suite waits when it is told to, and how often: a service may limit rates (D32). */
const MAX_WAIT_MS = 5_000;
const MAX_RETRIES = 4;

export class Client {
  readonly base: URL;
  /** How many requests went out. */
  sent = 0;
  readonly #options: ClientOptions;
  readonly #agent: HttpAgent | HttpsAgent;
  readonly #rate: Rate;

  constructor(options: ClientOptions) {
    this.base = new URL(options.base);
    this.#options = options;
    const settings = { keepAlive: true, maxSockets: options.connections };
    this.#agent = this.base.protocol === 'https:' ? new HttpsAgent(settings) : new HttpAgent(settings);
    this.#rate = new Rate(options.rate);
  }

  /** @throws NoAnswer */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    for (let attempt = 0; ; attempt++) {
      const answer = await this.#once(request);
      const wait = answer.status === 429 && attempt < MAX_RETRIES ? retryAfter(answer) : undefined;
      if (wait === undefined) return answer;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #once(request: HttpRequest): Promise<HttpAnswer> {
    await this.#rate.turn();
    this.sent++;
    try {
      return await this.#exchange(request, false);
    } catch (error) {
      // A connection that was kept alive may be closed by the other side just when it is used again: that says nothing
      // about the request. A fresh connection decides.
      if (!(error instanceof StaleConnection)) throw error;
      return this.#exchange(request, true);
    }
  }

  #exchange({ method, target, headers = {}, body }: HttpRequest, fresh: boolean): Promise<HttpAnswer> {
    const { timeoutMs } = this.#options;
    const send = this.base.protocol === 'https:' ? httpsRequest : httpRequest;
    const length = body === undefined || headers['transfer-encoding'] ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    return new Promise((resolve, reject) => {
      const outgoing = send({
        agent: fresh ? false : this.#agent,
        protocol: this.base.protocol,
        hostname: this.base.hostname.replace(/^\[|\]$/g, ''),
        port: this.base.port,
        method,
        path: this.#pathOf(target),
        headers: withoutEmpty({ ...this.#options.headers, ...length, ...headers }),
      });
      const timer = setTimeout(() => outgoing.destroy(new NoAnswer(`no answer within ${timeoutMs} ms`)), timeoutMs);
      const fail = (error: Error & { code?: string }) => {
        clearTimeout(timer);
        if (error instanceof NoAnswer) reject(error);
        else if (outgoing.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')) reject(new StaleConnection());
        else reject(new NoAnswer(describe(error), { cause: error }));
      };
      outgoing.on('error', fail);
      outgoing.on('response', (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', fail);
        incoming.on('end', () => {
          clearTimeout(timer);
          resolve({ status: incoming.statusCode ?? 0, headers: flat(incoming.headers), body: Buffer.concat(chunks) });
        });
      });
      outgoing.end(body);
    });
  }

  #pathOf(target: string): string {
    const prefix = this.base.pathname.replace(/\/$/, '');
    if (!/^https?:/i.test(target)) return prefix + target;
    const url = new URL(target);
    return url.pathname + url.search;
  }
}

class StaleConnection extends Error {}

function describe(error: Error & { code?: string }): string {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'the connection was refused';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection was closed without an answer';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the host is unknown';
    default:
      return error.code?.startsWith('HPE_') ? 'the answer is not HTTP' : error.message;
  }
}

function withoutEmpty(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]));
}

/** Milliseconds, or undefined when the answer does not say. */
function retryAfter(answer: HttpAnswer): number | undefined {
  const value = answer.headers['retry-after'];
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_WAIT_MS);
}
