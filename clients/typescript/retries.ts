/**
 * Sends a request again if the contract says that this is safe: the table of "Retries" in
 * openapi.yaml.
 */
import { ConnectionError, retryAfter } from './errors.ts';

/** Seconds; a service that asks for a longer wait gets no further attempt. */
const LONGEST_WAIT = 60;

const SOURCE = /\/event_subscriptions\/[^/]+\/sources\/[^/]+$/;

/**
 * Whether a second request has the same result as the first: a PATCH that renames an event source
 * has not.
 */
const repeatable = ({ method, url }: Request) =>
  method !== 'POST' && !(method === 'PATCH' && SOURCE.test(url));

/**
 * The last response. A DELETE that was carried out already is a success.
 * @throws {ConnectionError} of the last attempt if it has no response, and what else `fetch` throws
 */
export async function sendAgain(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
  retries: number,
): Promise<Response> {
  // Whether an earlier attempt may have carried out the request.
  let mayBeDone = false;
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt === retries;
    const response = await fetch(isLast ? request : request.clone()).catch((error: unknown) => {
      const mayBeSentAgain = error instanceof ConnectionError && repeatable(request);
      if (isLast || !mayBeSentAgain) {
        throw error;
      }
      return undefined;
    });
    const isGone = response?.status === 404 && request.method === 'DELETE';
    if (isGone && mayBeDone) {
      return new Response(null, { status: 204 });
    }
    const hasFailed = response === undefined || FAILURES.has(response.status);
    mayBeDone ||= hasFailed;
    const seconds = (response && retryAfter(response)) ?? defaultWait(attempt);
    const mayBeRepeated = response?.status === 429 || (hasFailed && repeatable(request));
    const isFinal = isLast || !mayBeRepeated || seconds > LONGEST_WAIT;
    if (response && isFinal) {
      return response;
    }
    await response?.body?.cancel();
    await wait(seconds * 1000, request.signal);
  }
}

/** After these statuses the service may have made the change, or not; 502 and 504 are a proxy's. */
const FAILURES = new Set([500, 502, 503, 504]);

/**
 * About 0.2, 0.4, 0.8 seconds: random, so that clients that failed together do not come back
 * together.
 */
function defaultWait(attempt: number): number {
  return (0.1 + Math.random() / 10) * 2 ** attempt;
}

/** @throws the reason of the signal, as soon as it is aborted. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) {
      stop();
    } else {
      signal.addEventListener('abort', stop, { once: true });
    }
  });
}
