/** Steps that many cases take, each judged as it is taken. */
import { expectRefusal, expectSuccess } from '../check/judge.ts';
import { expectThat, Nonconformity } from '../check/nonconformity.ts';
import type { Answer } from '../check/answer.ts';
import type { CallInput, Session } from '../check/session.ts';

export interface EdgeAnswer {
  id: string;
  uri: string;
  created_at: string;
  [name: string]: unknown;
}

/** Calls an operation whose success is due. */
export async function succeed(session: Session, operationId: string, input: CallInput, why?: string): Promise<Answer> {
  const answer = await session.call(operationId, input);
  expectSuccess(session.target, session.operation(operationId), answer, why);
  return answer;
}

/** How far `created_at` may be from the `Date` of the same response (D40). */
const MAX_APART_MS = 60_000;

/** @throws Nonconformity unless `created_at` is the time of this response. One without `Date` shows nothing. */
export function expectNow({ headers, json }: Answer): void {
  const { created_at } = json as EdgeAnswer;
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
): Promise<Answer> {
  const answer = await session.call(operationId, input);
  expectRefusal(session.target, session.operation(operationId), answer, statuses, why);
  return answer;
}

export async function createEdge(session: Session, json: unknown): Promise<EdgeAnswer> {
  return edgeIn(await succeed(session, 'createEdge', { json }));
}

export async function getEdge(session: Session, id: string): Promise<EdgeAnswer> {
  return edgeIn(await succeed(session, 'getEdge', { path: { id } }, 'The edge exists.'));
}

function edgeIn(answer: Answer): EdgeAnswer {
  const edge = answer.json as EdgeAnswer;
  // Judged by the source alone, a schema may let an answer without these pass; nothing can be tried without them.
  expectThat(typeof edge.id === 'string', 'An edge has an id.', { expected: 'a text', got: edge });
  return edge;
}

export async function addSource(session: Session, subscription_id: string, type: string): Promise<Answer> {
  const answer = await succeed(session, 'createEventSource', { path: { subscription_id }, json: { type } });
  expectType(answer, type);
  return answer;
}

/** @throws Nonconformity unless the answer is the source of this type */
export function expectType(answer: Answer, type: string): void {
  const got = (answer.json as { type?: unknown } | undefined)?.type;
  expectThat(got === type, 'The answer is another source than the one asked for.', { expected: type, got });
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
  let answer = await succeed(session, 'listEventSources', { path: { subscription_id }, ...query });
  const followed = new Set<string>();
  for (let page = 1; ; page++) {
    const { sources, uri } = answer.json as { sources?: { type: string }[]; uri?: string | null };
    expectThat(Array.isArray(sources), 'A list has `sources`.', { expected: 'a list', got: answer.text });
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
    answer = await follow(session, uri);
  }
}

/** Follows a `uri` of an answer to the next page. */
async function follow(session: Session, uri: string): Promise<Answer> {
  const answer = await session.send({ method: 'GET', target: reachable(session, uri) });
  expectSuccess(session.target, session.operation('listEventSources'), answer, '`uri` is the next page.');
  return answer;
}

/**
 * Where a `uri` is reached: as it is on the host under test. A service behind a proxy names its public address (D34);
 * then what follows the base address counts.
 */
export function reachable(session: Session, uri: string): string {
  if (!URL.canParse(uri) || !/^https?:/i.test(uri)) {
    throw new Nonconformity('A `uri` is absolute.', {
      expected: 'an absolute URI of http or https',
      got: uri,
      clause: '/components/schemas/Uri/format',
    });
  }
  const url = new URL(uri);
  const { base } = session.target.client;
  if (url.host === base.host) return uri;
  const start = url.pathname.search(/\/(edges\/https|event_subscriptions)\//);
  return url.pathname.slice(Math.max(start, 0)) + url.search;
}
