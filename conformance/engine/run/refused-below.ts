/**
 * Failures at which the HTTP server below an application, or a filter of its framework, seems to
 * have refused a path before a handler saw it: the refusal has the form of the server.
 */
import { show } from '../http/nonconformity.ts';
import type { ReportedExchange } from './result.ts';

/** Paths that every server passes on: nothing in them is encoded or has a meaning. */
const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)*\/?$/;

/** Media types of the pages of servers and frameworks; `''` if a response has none. */
const PAGES: ReadonlySet<string> = new Set(['text/html', 'text/plain', '']);

/** The path of a request if its refusal is a page and the path is not plain. */
export function pathRefusedBelow({
  request,
  response,
}: Pick<ReportedExchange, 'request' | 'response'>): string | undefined {
  const [mediaType = ''] = (response?.headers['content-type'] ?? '').toLowerCase().split(';', 1);
  const status = response?.status ?? 0;
  const isRefusal = status >= 400 && status < 500;
  const path = sentPath(request.url);
  const isBelow = isRefusal && PAGES.has(mediaType.trim()) && !PLAIN_PATH.test(path);
  return isBelow ? path : undefined;
}

const ORIGIN = /^https?:\/\/[^/?#]*/i;

/** The path of a URL as it is sent: `URL` would change some. */
function sentPath(url: string): string {
  const [path = ''] = url.replace(ORIGIN, '').split(/[?#]/, 1);
  return path;
}

/** Behind the words of a cause. */
export const REFUSED_BELOW = 'refused below handlers';

/** The refusal, and the rule that it breaks, as sentences. */
export function refusedBelowInWords(path: string): string {
  return (
    `The HTTP server below the handlers seems to have refused ${show(path)} by itself. It may do ` +
    'so in any form only if a target cannot be decoded or is too long, or if its path has an ' +
    'encoded control character, slash or backslash, or `//`. Here, the documented form is due: ' +
    'have the server or framework pass the path on, or give its refusal that form.'
  );
}
