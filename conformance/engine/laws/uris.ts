/** The URIs in responses: they are absolute, and lead to their resource. */
import { expectSuccess } from '../http/expect-response.ts';
import type { Implementation } from '../http/implementation.ts';
import { expectThat } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { Session } from '../http/session.ts';

const HTTP_SCHEME = /^https?:/i;

/** The way in which a URI is followed. */
export interface Following {
  /** The id of the operation that responds like this. */
  operationId: string;
  why: string;
  headers?: Record<string, string>;
}

/** Reads the resource that the URI of a response leads to. @throws Nonconformity */
export async function follow(
  session: Session,
  uri: unknown,
  { operationId, why, headers = {} }: Following,
): Promise<HttpResponse> {
  const target = reachable(session, uri);
  const response = await session.send({ method: 'GET', target, headers });
  expectSuccess(session.implementation, session.operation(operationId), response, why);
  return response;
}

/**
 * The target under which a URI is reached at the implementation under test: a service behind a
 * proxy may give its public address.
 * @throws Nonconformity if the URI is not absolute
 */
export function reachable({ implementation }: Session, uri: unknown): string {
  const { base } = implementation.client;
  // By the source document alone, a relative reference is a URI, too.
  if (implementation.origin === 'source' && typeof uri === 'string' && !URL.canParse(uri)) {
    const baseWithSlash = `${base.href.replace(/\/$/, '')}/`;
    return new URL(uri, baseWithSlash).href;
  }
  const isAbsolute = typeof uri === 'string' && URL.canParse(uri) && HTTP_SCHEME.test(uri);
  const details = { expected: 'an absolute URI of http or https', got: String(uri) };
  expectThat(isAbsolute, 'A `uri` is not absolute.', details);
  const url = new URL(uri);
  if (url.host === base.host) {
    return uri;
  }
  const start = startOfPath(url, implementation);
  if (start === undefined) {
    // Nothing shows where the public base ends: the whole path is that of the service.
    return base.origin + url.pathname + url.search;
  }
  return url.pathname.slice(start) + url.search;
}

/**
 * What a URI has before the path of the contract: scheme, host, port, and the prefix of a proxy;
 * empty if it is not absolute. The origin alone if it has no path of the contract.
 */
export function beginningOf({ implementation }: Session, uri: unknown): string {
  if (typeof uri !== 'string' || !URL.canParse(uri)) {
    return '';
  }
  const url = new URL(uri);
  return url.origin + url.pathname.slice(0, startOfPath(url, implementation) ?? 0);
}

/**
 * The index in the path of a URL at which the first path of the contract begins; undefined if it
 * has none.
 */
function startOfPath({ pathname }: URL, { operations }: Implementation): number | undefined {
  const paths = [...operations.values()].map(({ path }) => path);
  const beginnings = new Set(paths.map(textBeforeParameters));
  const starts = [...beginnings].map((beginning) => pathname.indexOf(beginning));
  const found = starts.filter((start) => start >= 0);
  if (found.length === 0) {
    return undefined;
  }
  return Math.min(...found);
}

function textBeforeParameters(path: string): string {
  const [before = ''] = path.split('/{');
  return before;
}
