/** Sends the requests of all calls: adds the token, limits the time, and sends again. */
import type { Middleware } from 'openapi-fetch';
import type { operations } from '../../generated/openapi.ts';
import type { CallOptions } from './call.ts';
import { ConnectionError, TimeoutError } from './errors.ts';
import { sendAgain } from './retries.ts';

export interface Connection {
  /**
   * The base address of the service: absolute, http or https; a path is kept, a slash at its end is
   * not needed.
   */
  baseUrl: string;
  /**
   * The bearer token (D28), visible ASCII, or a function that is asked for it before each attempt.
   * Omitted for a service that runs open.
   */
  token?: string | (() => string | Promise<string>) | undefined;
  /**
   * Milliseconds that one attempt may take until its response is read, above 0. Default: no limit.
   */
  timeout?: number | undefined;
  /**
   * How often a request is sent again at most, 0 or more; default 2. After 429 every request is,
   * after 500, 502, 503, 504 or no response only what has the same result twice (openapi.yaml,
   * "Retries"). The client waits as long as `Retry-After` says, up to a minute, or for a fraction
   * of a second that doubles; a longer wait is left to you (`retryAfter`).
   */
  retries?: number | undefined;
  /**
   * Sees and changes each request before its first attempt, and the last response, also one that
   * becomes an error: https://openapi-ts.dev/openapi-fetch/middleware-auth
   */
  middleware?: readonly Middleware[] | undefined;
  /** Sends each attempt. Default: the `fetch` of the platform. Replace it to log, or in a test. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export type Send = (request: Request) => Promise<Response>;

/** Sends the requests of one call. */
export type Transport = (operation: keyof operations, options: CallOptions) => Send;

/**
 * @throws {TypeError} from here, when an option cannot be used; the message never holds the token.
 * The other errors are those of each request.
 */
export function connect(connection: Connection): Transport {
  const { baseUrl, token, fetch = (request) => globalThis.fetch(request) } = connection;
  const home = originOf(baseUrl);
  if (typeof token === 'string') {
    requireToken(token);
  }
  requireLimits(connection);
  return (operation, options) => {
    const { timeout = connection.timeout, retries = connection.retries ?? 2 } = options;
    requireLimits({ timeout, retries });
    const attempt = async (original: Request) => {
      // A `uri` in a response can be on another host; the token is for this service only.
      if (new URL(original.url).origin !== home) {
        original.headers.delete('Authorization');
      } else if (token !== undefined && !original.headers.has('Authorization')) {
        const current = typeof token === 'string' ? token : await token();
        requireToken(current);
        original.headers.set('Authorization', `Bearer ${current}`);
      }
      const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout);
      const request = limit ? withSignal(original, limit) : original;
      try {
        return await withBody(await fetch(request));
      } catch (cause) {
        if (original.signal.aborted) {
          throw cause;
        }
        if (limit?.aborted) {
          throw new TimeoutError(operation, original, cause, `the timeout is ${timeout} ms`);
        }
        throw new ConnectionError(operation, original, cause);
      }
    };
    return async (request) => {
      request.headers.set('Accept', 'application/json, application/problem+json');
      return sendAgain(request, attempt, retries);
    };
  };
}

/** @throws {TypeError} when no request can be sent to the URL */
function originOf(baseUrl: string): string {
  const home = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!home || !/^https?:$/.test(home.protocol)) {
    throw new TypeError(`baseUrl must be an absolute http or https URL, not '${baseUrl}'`);
  }
  if (home.username || home.password || home.search || home.hash) {
    throw new TypeError('baseUrl must have no user, query or fragment');
  }
  return home.origin;
}

/** Checked here, because the platform quotes a bad header value in its error. */
function requireToken(token: string): void {
  if (typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('token must be visible ASCII, without spaces');
  }
}

function requireLimits({ timeout, retries }: Pick<Connection, 'timeout' | 'retries'>): void {
  if (timeout !== undefined && !(timeout > 0)) {
    throw new TypeError(`timeout must be above 0, not ${timeout}`);
  }
  if (retries !== undefined && (!Number.isInteger(retries) || retries < 0)) {
    throw new TypeError(`retries must be 0 or more, not ${retries}`);
  }
}

const withSignal = (request: Request, signal: AbortSignal): Request =>
  new Request(request, { signal: AbortSignal.any([request.signal, signal]) });

/** The response once its body is read, so that one that ends early belongs to its attempt. */
async function withBody(response: Response): Promise<Response> {
  if (response.body === null) {
    return response;
  }
  const body = await response.arrayBuffer();
  const read = new Response(body, response);
  Object.defineProperty(read, 'url', { value: response.url });
  return read;
}
