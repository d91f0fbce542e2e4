/** Sends a request again where the contract says that this is safe: the table of "Retries" in openapi.yaml. */
import { retryAfter } from './errors.ts';

/** Seconds; a service that asks for a longer wait gets no further attempt. */
const LONGEST_WAIT = 60;

const SOURCE = /\/event_subscriptions\/[^/]+\/sources\/[^/]+$/;

/** Whether a second request has the same result as the first: a PATCH that renames an event source has not. */
const repeatable = ({ method, url }: Request) =>
  method !== 'POST' && !(method === 'PATCH' && SOURCE.test(url));

/** The last response, or what `fetch` throws when there is none. A DELETE that was carried out already is a success. */
export async function sendAgain(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
  retries: number,
): Promise<Response> {
  let unknown = false;
  for (let attempt = 0; ; attempt++) {
    const last = attempt === retries;
    const response = await fetch(last ? request : request.clone()).catch((error: unknown) => {
      if (last || request.signal.aborted || !repeatable(request)) {
        throw error;
      }
      return undefined;
    });
    const failed = response === undefined || response.status === 500 || response.status === 503;
    if (response && unknown && request.method === 'DELETE' && response.status === 404) {
      return new Response(null, { status: 204 });
    }
    unknown ||= failed;
    // About 0.2, 0.4, 0.8 seconds, at random so that clients that failed together do not come back together.
    const seconds = (response && retryAfter(response)) ?? (0.1 + Math.random() / 10) * 2 ** attempt;
    const again = response?.status === 429 || (failed && repeatable(request));
    if (response && (last || !again || seconds > LONGEST_WAIT)) {
      return response;
    }
    await response?.body?.cancel();
    await wait(seconds * 1000, request.signal);
  }
}

/** @throws the reason of the signal, as soon as it is aborted. */
function wait(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    const stop = () => (clearTimeout(timer), reject(signal.reason));
    if (signal.aborted) {
      stop();
    } else {
      signal.addEventListener('abort', stop, { once: true });
    }
  });
}
