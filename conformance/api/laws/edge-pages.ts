/**
 * Walks the list of edges, newest first, only as far as it must: a service may hold thousands of edges of others. Past an
 * edge that is older than every edge in question, none of these can follow.
 */
import { expectSuccess } from '../../engine/http/expect-response.ts';
import { expectThat } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { NotPossible } from '../../engine/http/undecided.ts';
import { type EdgeResponse, reachable, succeed } from '../steps.ts';

/** Others may create edges all the while: more pages than this are not worth walking. */
const MAX_PAGES = 200;

/** Timestamps may be cut to seconds, and clocks of several machines differ. */
const MARGIN_MS = 5_000;

export interface Walk {
  /** As listed; those of others are among them. */
  edges: EdgeResponse[];
  /** How many each page had. */
  pages: number[];
}

/** The list from its beginning until it has passed `oldest`, and at least one edge beyond. @param between is given each page but the last @param headers go with the request for each page */
export async function walk(
  session: Session,
  oldest: EdgeResponse,
  {
    limit,
    between,
    headers = {},
  }: {
    limit?: number;
    between?: (page: number, edges: readonly EdgeResponse[]) => Promise<void>;
    headers?: Record<string, string>;
  } = {},
): Promise<Walk> {
  const found: Walk = { edges: [], pages: [] };
  let response = await succeed(session, 'listEdges', {
    headers,
    ...(limit === undefined ? {} : { query: { limit: String(limit) } }),
  });
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { https_edges: edges, next_page_uri: uri } = response.json as {
      https_edges: EdgeResponse[];
      next_page_uri: string | null;
    };
    found.edges.push(...edges);
    found.pages.push(edges.length);
    expectThat(limit === undefined || edges.length <= limit, 'A page has more edges than `limit`.', {
      expected: `at most ${limit}`,
      got: edges.length,
    });
    // Also where the list goes in a circle and would never end.
    const ids = found.edges.map(({ id }) => id);
    expectThat(new Set(ids).size === ids.length, 'An edge is listed twice.', { expected: 'each once', got: ids });
    if (uri === null || isPassed(found.edges, oldest)) return found;
    expectThat(edges.length > 0, 'A page that is not the last has an edge.', {
      expected: 'an edge, or a `next_page_uri` that is null',
      got: response.text,
    });
    await between?.(page, edges);
    response = await session.send({ method: 'GET', target: reachable(session, uri), headers });
    expectSuccess(
      session.implementation,
      session.operation('listEdges'),
      response,
      '`next_page_uri` is the next page.',
    );
  }
  throw new NotPossible(`more edges of others than fit on ${MAX_PAGES} pages came in between`);
}

/** `oldest` was listed, and one more behind it (which would show it again); or it is missing, and older ones are there. */
function isPassed(edges: readonly EdgeResponse[], oldest: EdgeResponse): boolean {
  const at = edges.findIndex(({ id }) => id === oldest.id);
  if (at >= 0 && at < edges.length - 1) return true;
  return edges.some(({ created_at }) => Date.parse(created_at) < Date.parse(oldest.created_at) - MARGIN_MS);
}

/** Each of `expected` is listed exactly once, in this order, whatever stands between them. */
export function expectListed({ edges }: Walk, expected: readonly EdgeResponse[]): void {
  const ids = expected.map(({ id }) => id);
  const got = edges.map(({ id }) => id).filter((id) => ids.includes(id));
  expectThat(
    got.join(' ') === ids.join(' '),
    'The list has other edges, or in another order, than those that are there.',
    { expected: ids, got },
  );
}

export function expectNotListed({ edges }: Walk, gone: Pick<EdgeResponse, 'id'>): void {
  expectThat(!edges.some(({ id }) => id === gone.id), 'The list has an edge that was deleted.', {
    expected: `no ${gone.id}`,
    got: edges.map(({ id }) => id),
  });
}
