/** Sends all requests: adds the token, and turns every response that is not a success into an error. */
import { refusal, UnexpectedResponseError } from './problem.ts';

export interface Connection {
  /** The base address of the service: absolute, http or https; a path is kept, a slash at its end is not needed. */
  baseUrl: string;
  /** The bearer token (D28), visible ASCII. Omitted for a service that runs open. */
  token?: string | undefined;
  /** Sends the requests. Default: the `fetch` of the platform. Replace it to retry, to log, or in a test. */
  fetch?: ((request: Request) => Promise<Response>) | undefined;
}

export type Send = (request: Request) => Promise<Response>;

/**
 * @throws {TypeError} from here, when `baseUrl` or `token` cannot be used; the message never holds the token.
 * @throws {ProblemError | UnexpectedResponseError} from each request that does not succeed.
 */
export function connect({ baseUrl, token, fetch = (request) => globalThis.fetch(request) }: Connection): Send {
  const home = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!home || !/^https?:$/.test(home.protocol))
    throw new TypeError(`baseUrl must be an absolute http or https URL, not '${baseUrl}'`);
  if (home.username || home.password || home.search || home.hash)
    throw new TypeError('baseUrl must have no user, query or fragment');
  // Checked here, because the platform quotes a bad header value in its error.
  if (token !== undefined && !/^[\x21-\x7e]+$/.test(token))
    throw new TypeError('token must be visible ASCII, without spaces');
  return async (request) => {
    // A `uri` in a response can be on another host; the token is for this service only.
    if (token !== undefined && new URL(request.url).origin === home.origin)
      request.headers.set('Authorization', `Bearer ${token}`);
    request.headers.set('Accept', 'application/json, application/problem+json');
    const response = await fetch(request);
    if (!response.ok) throw await refusal(response);
    if (response.status !== 204 && !/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) {
      throw new UnexpectedResponseError(response.status, `HTTP ${response.status} without JSON from ${response.url}`);
    }
    return response;
  };
}
