/** Calls of operations, each checked as it is made. */
import { expectRefusal, expectSuccess } from '../http/expect-response.ts';
import { expectThat, Nonconformity } from '../http/nonconformity.ts';
import type { HttpResponse } from '../http/response.ts';
import type { CallInput, Session } from '../http/session.ts';
import type { Json } from './resource.ts';

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

/** Calls an operation that must refuse. */
export async function refuse(
  session: Session,
  operationId: string,
  input: CallInput,
  statuses: number[],
  why: string,
  code?: string,
): Promise<HttpResponse> {
  const response = await session.call(operationId, input);
  expectRefusal(session.implementation, session.operation(operationId), response, statuses, why, { input });
  const got = (response.json as { code?: unknown } | undefined)?.code;
  expectThat(
    code === undefined || got === code || session.implementation.origin === 'source',
    `${why} The code says so.`,
    {
      expected: code,
      got,
    },
  );
  return response;
}

/** Reads what a `uri` of a response leads to. */
export async function follow(session: Session, uri: unknown, operationId: string, why: string): Promise<Json> {
  const response = await session.send({ method: 'GET', target: reachable(session, uri) });
  expectSuccess(session.implementation, session.operation(operationId), response, why);
  return response.json as Json;
}

/**
 * Where a `uri` is reached: as it is on the host under test. A service behind a proxy names its public address; then what
 * follows the base address counts.
 */
export function reachable(session: Session, uri: unknown): string {
  // By the source document alone, a relative reference is a URI, too.
  if (session.implementation.origin === 'source' && typeof uri === 'string' && !URL.canParse(uri))
    return new URL(uri, `${session.implementation.client.base.href.replace(/\/$/, '')}/`).href;
  if (typeof uri !== 'string' || !URL.canParse(uri) || !/^https?:/i.test(uri)) {
    throw new Nonconformity('A `uri` is absolute.', {
      expected: 'an absolute URI of http or https',
      got: String(uri),
    });
  }
  const url = new URL(uri);
  const { base } = session.implementation.client;
  if (url.host === base.host) return uri;
  const roots = new Set([...session.implementation.operations.values()].map(({ path }) => path.split('/{')[0]!));
  const starts = [...roots].map((root) => url.pathname.indexOf(root)).filter((start) => start >= 0);
  return url.pathname.slice(Math.min(...starts, url.pathname.length - 1)) + url.search;
}

/** How far a time of creation may be from the `Date` of the same response. */
const MAX_APART_MS = 60_000;

/** @throws Nonconformity unless the member is the time of this response. One without `Date` shows nothing. */
export function expectNow({ headers, json }: HttpResponse, member: string): void {
  const got = String((json as Json)[member]);
  const { date } = headers;
  if (date === undefined) return;
  expectThat(
    Math.abs(Date.parse(got) - Date.parse(date)) <= MAX_APART_MS,
    `\`${member}\` is not the time of creation.`,
    {
      expected: `within a minute of ${date}`,
      got,
    },
  );
}
