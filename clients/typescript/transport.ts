/**
 * Sends all requests: adds the token, sends again, and turns every response that is not a success
 * into an error.
 */
import { refusal, UnexpectedResponseError } from './errors.ts';
import { sendAgain } from './retries.ts';

export interface Connection {
  /**
   * The base address of the service: absolute, http or https; a path is kept, a slash at its end is
   * not needed.
   */
  baseUrl: string;
  /** The bearer token (D28), visible ASCII. Omitted for a service that runs open. */
  token?: string | undefined;
  /**
   * Milliseconds that one attempt may take until its response is read, above 0. Default: no limit.
   */
  timeout?: number | undefined;
  /**
   * How often a request is sent again at most, 0 or more; default 2. After 429 every request is,
   * after 500, 503 or no response only what has the same result twice (openapi.yaml, "Retries").
   * The client waits as long as `Retry-After` says, up to a minute, or for a fraction of a second
   * that doubles; a longer wait is left to you (`retryAfter`).
   */
  retries?: number | undefined;
  /** Sends each attempt. Default: the `fetch` of the platform. Replace it to log, or in a test. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export type Send = (request: Request) => Promise<Response>;

/**
 * @throws {TypeError} from here, when an option cannot be used; the message never holds the token.
 * @throws {ProblemError | UnexpectedResponseError} from each request that does not succeed.
 */
export function connect({
  baseUrl,
  token,
  timeout,
  retries = 2,
  fetch = (request) => globalThis.fetch(request),
}: Connection): Send {
  const home = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!home || !/^https?:$/.test(home.protocol)) {
    throw new TypeError(`baseUrl must be an absolute http or https URL, not '${baseUrl}'`);
  }
  if (home.username || home.password || home.search || home.hash) {
    throw new TypeError('baseUrl must have no user, query or fragment');
  }
  // Checked here, because the platform quotes a bad header value in its error.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token)) {
    throw new TypeError('token must be visible ASCII, without spaces');
  }
  if (timeout !== undefined && !(timeout > 0)) {
    throw new TypeError(`timeout must be above 0, not ${timeout}`);
  }
  if (!Number.isInteger(retries) || retries < 0) {
    throw new TypeError(`retries must be 0 or more, not ${retries}`);
  }
  const attempt = (request: Request) => {
    if (timeout === undefined) {
      return fetch(request);
    }
    return fetch(
      new Request(request, {
        signal: AbortSignal.any([request.signal, AbortSignal.timeout(timeout)]),
      }),
    );
  };
  return async (request) => {
    // A `uri` in a response can be on another host; the token is for this service only.
    if (token !== undefined && new URL(request.url).origin === home.origin) {
      request.headers.set('Authorization', `Bearer ${token}`);
    }
    request.headers.set('Accept', 'application/json, application/problem+json');
    const response = await sendAgain(request, attempt, retries);
    if (!response.ok) {
      throw await refusal(response);
    }
    if (
      response.status !== 204 &&
      !/^application\/json\b/i.test(response.headers.get('content-type') ?? '')
    ) {
      throw new UnexpectedResponseError(
        `HTTP ${response.status} without JSON from ${response.url}`,
        response,
      );
    }
    return response;
  };
}
