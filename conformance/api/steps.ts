/** Steps that many cases take, each judged as it is taken. */
import { expectRefusal, expectSuccess } from '../engine/http/expect-response.ts';
import { expectThat, Nonconformity } from '../engine/http/nonconformity.ts';
import type { HttpResponse } from '../engine/http/response.ts';
import type { CallInput, Session } from '../engine/http/session.ts';

export interface EdgeResponse {
  id: string;
  uri: string;
  created_at: string;
  [name: string]: unknown;
}

/** Calls an operation whose success is due. */
export async function succeed(
  session: Session,
  operationId: string,
  input: CallInput,
  why?: string,
): Promise<HttpResponse> {
  const response = await session.call(operationId, input);
  expectSuccess(session.implementation, session.operation(operationId), response, why);
  return response;
}

/** How far `created_at` may be from the `Date` of the same response (D40). */
const MAX_APART_MS = 60_000;

/** @throws Nonconformity unless `created_at` is the time of this response. One without `Date` shows nothing. */
export function expectNow({ headers, json }: HttpResponse): void {
  const { created_at } = json as EdgeResponse;
  const { date } = headers;
  if (date === undefined) return;
  expectThat(
    Math.abs(Date.parse(created_at) - Date.parse(date)) <= MAX_APART_MS,
    '`created_at` is not the time of creation.',
    { expected: `within a minute of ${date}`, got: created_at },
  );
}

/** Calls an operation that must refuse. */
export async function refuse(
  session: Session,
  operationId: string,
  input: CallInput,
  statuses: number[],
  why: string,
): Promise<HttpResponse> {
  const response = await session.call(operationId, input);
  expectRefusal(session.implementation, session.operation(operationId), response, statuses, why, { input });
  return response;
}

export async function createEdge(session: Session, json: unknown): Promise<EdgeResponse> {
  return edgeIn(await succeed(session, 'createEdge', { json }));
}

export async function getEdge(session: Session, id: string): Promise<EdgeResponse> {
  return edgeIn(await succeed(session, 'getEdge', { path: { id } }, 'The edge exists.'));
}

function edgeIn(response: HttpResponse): EdgeResponse {
  const edge = response.json as EdgeResponse;
  // Judged by the source alone, a schema may let a response without these pass; nothing can be tried without them.
  expectThat(typeof edge.id === 'string', 'An edge has an id.', { expected: 'a text', got: edge });
  return edge;
}

export async function addSource(session: Session, subscription_id: string, type: string): Promise<HttpResponse> {
  const response = await succeed(session, 'createEventSource', { path: { subscription_id }, json: { type } });
  expectType(response, type);
  return response;
}

/** @throws Nonconformity unless the response is the source of this type */
export function expectType(response: HttpResponse, type: string): void {
  const got = (response.json as { type?: unknown } | undefined)?.type;
  expectThat(got === type, 'The response is another source than the one asked for.', { expected: type, got });
}

/** A `uri` that is followed must lead on: more pages than this are a loop. */
const MAX_PAGES = 500;

export interface Listing {
  types: string[];
  /** How many items each page had. */
  pages: number[];
}

/** Every source of a subscription, following `uri`. `between` runs after each page but the last. */
export async function listAll(
  session: Session,
  subscription_id: string,
  options: { limit?: number; between?: (page: number) => Promise<void> } = {},
): Promise<Listing> {
  const listing: Listing = { types: [], pages: [] };
  const query = options.limit === undefined ? {} : { query: { limit: String(options.limit) } };
  let response = await succeed(session, 'listEventSources', { path: { subscription_id }, ...query });
  const followed = new Set<string>();
  for (let page = 1; ; page++) {
    const { sources, uri } = response.json as { sources?: { type: string }[]; uri?: string | null };
    expectThat(Array.isArray(sources), 'A list has `sources`.', { expected: 'a list', got: response.text });
    const isNew = sources.some(({ type }) => !listing.types.includes(type));
    listing.types.push(...sources.map((source) => source.type));
    listing.pages.push(sources.length);
    if (uri === null || uri === undefined) return listing;
    // The same address again is no fault of its own; one that brings nothing new never ends.
    if (page === MAX_PAGES || (followed.has(uri) && !isNew)) {
      throw new Nonconformity('Following `uri` does not end.', {
        expected: 'null on the last page',
        got: `page ${page} has ${uri}`,
      });
    }
    followed.add(uri);
    await options.between?.(page);
    response = await follow(session, uri);
  }
}

/** Follows a `uri` of a response to the next page. */
async function follow(session: Session, uri: string): Promise<HttpResponse> {
  const response = await session.send({ method: 'GET', target: reachable(session, uri) });
  expectSuccess(session.implementation, session.operation('listEventSources'), response, '`uri` is the next page.');
  return response;
}

/**
 * Where a `uri` is reached: as it is on the host under test. A service behind a proxy names its public address (D34);
 * then what follows the base address counts. By the source document alone, a relative reference is a URI, too.
 */
export function reachable(session: Session, uri: string): string {
  if (session.implementation.origin === 'source' && !URL.canParse(uri) && typeof uri === 'string') {
    const { base } = session.implementation.client;
    return new URL(uri, `${base.href.replace(/\/$/, '')}/`).href;
  }
  if (!URL.canParse(uri) || !/^https?:/i.test(uri)) {
    throw new Nonconformity('A `uri` is absolute.', {
      expected: 'an absolute URI of http or https',
      got: uri,
      clause: '/components/schemas/Uri/format',
    });
  }
  const url = new URL(uri);
  const { base } = session.implementation.client;
  if (url.host === base.host) return uri;
  const start = url.pathname.search(/\/(edges\/https|event_subscriptions)\//);
  return url.pathname.slice(Math.max(start, 0)) + url.search;
}
