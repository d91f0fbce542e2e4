/** Lists of edges that are not complete, not in order, or whose pages do not add up. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { baseOf, jsonOf, problem, showing } from '../mutate/response.ts';
import { cutBehind, type EdgePage, type EdgePageRequest, pagingEdges } from '../mutate/edge-list.ts';
import { before, both, done, instead, type Mutate, remembering, showingAs } from '../mutate/mutate.ts';
import { type Json, withParameter } from '../mutate/request.ts';
import { ascii } from '../mutate/list.ts';

const mutant = mutantsOf('edge-pages');

interface List {
  https_edges: Json[];
  uri: string;
  next_page_uri: string | null;
}

const list = (change: (list: List) => unknown) => showingAs('listEdges', change);
const listed = (change: (edge: Json) => Json) =>
  list((page) => ({ ...page, https_edges: page.https_edges.map(change) }));

/** Correct pages that are changed. */
function pages(change: (page: EdgePage, request: EdgePageRequest, all: Json[]) => EdgePage): Mutate {
  const cut = cutBehind();
  return pagingEdges((all, request) => change(cut(all, request), request, all));
}

/** Correct pages of another order. */
const ordered = (sort: (all: Json[]) => Json[]): Mutate =>
  pagingEdges((all, request) => cutBehind()(sort(all), request));

const by = (name: string) => (one: Json, other: Json) => ascii(String(one[name]), String(other[name]));

/** Pages by the number of edges before them. */
const byOffset: Mutate = pagingEdges((all, { limit, cursor = '0' }) => {
  const end = Number(cursor) + limit;
  return {
    edges: all.slice(Number(cursor), end),
    next: end < all.length ? { limit: String(limit), cursor: String(end) } : undefined,
  };
});

/** In the order in which edges were changed last. */
const byChange: Mutate = remembering(() => {
  let writes = 0;
  const changed = new Map<string, number>();
  const remember = done(['createEdge', 'updateEdge'], (response) => {
    changed.set(jsonOf(response).id, ++writes);
    return response;
  });
  const when = ({ id }: Json) => changed.get(String(id)) ?? 0;
  return both(
    remember,
    ordered((all) => all.toSorted((one, other) => when(other) - when(one))),
  );
});

/** The list of before: it is made anew only when one of these is called. */
const cached = (...refresh: ('createEdge' | 'updateEdge' | 'deleteEdge' | 'createRoute')[]): Mutate =>
  remembering(() => {
    const seen = new Map<string, Json>();
    const gone = new Map<string, Json>();
    const forget: Mutate = done(refresh, (response, _, { operationId, path }) => {
      if (operationId === 'updateEdge') seen.delete(path['id']!);
      if (operationId === 'createRoute') seen.delete(path['edge_id']!);
      return response;
    });
    const keep: Mutate = done(['createEdge', 'deleteEdge', 'listEdges'], (response, _, { operationId, path }) => {
      if (operationId === 'createEdge') seen.set(jsonOf(response).id, jsonOf(response));
      else if (operationId === 'deleteEdge') {
        if (refresh.includes('deleteEdge')) seen.delete(path['id']!);
        else if (seen.has(path['id']!)) gone.set(path['id']!, seen.get(path['id']!)!);
      } else {
        const page = jsonOf(response);
        return showing(response, {
          ...page,
          https_edges: [
            ...page.https_edges.map((edge: Json) => seen.get(String(edge['id'])) ?? edge),
            ...gone.values(),
          ],
        });
      }
      return response;
    });
    return both(forget, keep);
  });

/** What was created last is not listed yet. */
const behind: Mutate = remembering(() => {
  let last: string | undefined;
  return done(['createEdge', 'listEdges'], (response, _, { operationId }) => {
    if (operationId === 'createEdge') last = jsonOf(response).id;
    else
      return showing(response, {
        ...jsonOf(response),
        https_edges: jsonOf(response).https_edges.filter(({ id }: Json) => id !== last),
      });
    return response;
  });
});

/** Cursors name the edge that they stand behind; what if it is gone? */
const whenGone = (
  then: (all: Json[], request: EdgePageRequest) => ReturnType<Parameters<typeof pagingEdges>[0]>,
): Mutate =>
  pagingEdges((all, request) =>
    request.cursor !== undefined && !all.some(({ id }) => id === request.cursor)
      ? then(all, request)
      : cutBehind()(all, request),
  );

export const edgePages: Mutant[] = [
  mutant(
    'oldest-first',
    'edges.list.order',
    'Edges are listed oldest first.',
    ordered((all) => all.toReversed()),
  ),
  mutant(
    'by-id',
    'edges.list.order',
    'Edges are listed by id.',
    ordered((all) => all.toSorted(by('id'))),
  ),
  mutant(
    'by-id-descending',
    'edges.list.order',
    'Edges are listed by descending id.',
    ordered((all) => all.toSorted((one, other) => by('id')(other, one))),
  ),
  mutant(
    'by-second',
    'edges.list.order',
    'Edges of one second are listed by id.',
    ordered((all) => all.toSorted((one, other) => by('created_at')(other, one) || by('id')(one, other))),
  ),
  mutant(
    'by-description',
    'edges.list.order',
    'Edges are listed by description.',
    ordered((all) => all.toSorted(by('description'))),
  ),
  mutant('by-change', 'edges.list.order', 'The edge that was changed last comes first.', byChange),
  mutant(
    'second-reversed',
    'edges.list.order',
    'Edges of one second are listed oldest first.',
    ordered((all) => all.toReversed().toSorted((one, other) => by('created_at')(other, one))),
  ),

  mutant(
    'repeats-over-pages',
    'edges.list.pages',
    'The last edge of a page is the first of the next.',
    pages((page, { cursor, limit }, all) =>
      cursor === undefined
        ? page
        : { ...page, edges: [...all.filter(({ id }) => id === cursor), ...page.edges].slice(0, limit) },
    ),
  ),
  mutant(
    'skips-between-pages',
    'edges.list.pages',
    'The first edge of each further page is skipped.',
    pages((page, { cursor }) =>
      cursor === undefined || page.edges.length < 2 ? page : { ...page, edges: page.edges.slice(1) },
    ),
  ),
  mutant(
    'page-too-large',
    'edges.list.pages',
    'A page has one edge more than `limit`.',
    pagingEdges((all, request) => cutBehind()(all, { ...request, limit: request.limit + 1 })),
  ),
  mutant(
    'limit-lost',
    'edges.list.pages',
    'The URI of the next page has no `limit`.',
    pages((page) => ({ ...page, next: page.next && { cursor: page.next['cursor']! } })),
  ),
  mutant(
    'second-page-last',
    'edges.list.pages',
    'No page follows the second one.',
    pages((page, { cursor }) => (cursor === undefined ? page : { edges: page.edges })),
  ),
  mutant(
    'full-page-last',
    'edges.list.pages',
    'A page that is not full leads on, and one that is full does not.',
    pages((page, { limit }) => (page.edges.length === limit ? { edges: page.edges } : page)),
  ),
  mutant(
    'next-is-first',
    'edges.list.pages',
    'The URI of the next page leads to the first one.',
    list((one) => ({
      ...one,
      next_page_uri: one.next_page_uri === null ? null : one.next_page_uri.replace(/cursor=[^&]*&?/, ''),
    })),
  ),
  mutant(
    'next-is-same',
    'edges.list.pages',
    'The URI of the next page leads to the same page.',
    done('listEdges', (response, request) => {
      const shown = jsonOf(response);
      return showing(response, {
        ...shown,
        next_page_uri: shown.next_page_uri === null ? null : baseOf(request) + request.target,
      });
    }),
  ),
  mutant(
    'uri-relative',
    'edges.list.pages',
    'The URI of the next page is a path.',
    list((one) => ({
      ...one,
      next_page_uri:
        one.next_page_uri === null ? null : new URL(one.next_page_uri).pathname + new URL(one.next_page_uri).search,
    })),
  ),
  mutant(
    'uri-of-sources',
    'edges.list.pages',
    'The URI of the next page is that of another list.',
    list((one) => ({
      ...one,
      next_page_uri:
        one.next_page_uri === null
          ? null
          : one.next_page_uri.replace('/edges/https', '/event_subscriptions/edges/sources'),
    })),
  ),
  mutant(
    'cursor-refused',
    'edges.list.pages',
    'A cursor that the service gave is refused.',
    instead('listEdges', (next, request) =>
      request.target.includes('cursor=')
        ? Promise.resolve(
            problem(400, 'invalid_request', {
              errors: [{ parameter: 'cursor', code: 'value', detail: 'It is unknown.' }],
            }),
          )
        : next(request),
    ),
  ),
  mutant(
    'pages-by-second',
    'edges.list.pages',
    'A page begins behind the second in which the last edge was created.',
    pagingEdges((all, { limit, cursor }) => {
      const rest = cursor === undefined ? all : all.filter((edge) => String(edge['created_at']) < cursor);
      const edges = rest.slice(0, limit);
      return {
        edges,
        next:
          rest.length > edges.length
            ? { limit: String(limit), cursor: String(edges.at(-1)!['created_at']) }
            : undefined,
      };
    }),
  ),

  mutant(
    'limit-ignored',
    'edges.list.limit',
    '`limit` is ignored.',
    before('listEdges', (request) => withParameter(request, 'limit', () => undefined)),
  ),
  mutant(
    'limit-off-by-one',
    'edges.list.limit',
    'A page has one edge more than `limit`.',
    before('listEdges', (request) =>
      withParameter(request, 'limit', (value) => (/^[1-9]\d?$/.test(value) ? String(Number(value) + 1) : value)),
    ),
  ),
  mutant(
    'limit-at-least-two',
    'edges.list.limit',
    'A page has two edges at least.',
    before('listEdges', (request) => withParameter(request, 'limit', (value) => (value === '1' ? '2' : value))),
  ),
  mutant(
    'uri-always-null',
    'edges.list.limit',
    'No page has a next one.',
    list((one) => ({ ...one, uri: null })),
  ),
  mutant(
    'one-is-none',
    'edges.list.limit',
    'A page with `limit=1` has no edge.',
    done('listEdges', (response, { target }) =>
      /limit=1(&|$)/.test(target) ? showing(response, { ...jsonOf(response), https_edges: [] }) : response,
    ),
  ),

  mutant('created-later', 'edges.list.created', 'A new edge is listed only when the next one is created.', behind),
  mutant(
    'routes-left-out',
    'edges.list.created',
    'Edges are listed without their routes.',
    listed((edge) => ({ ...edge, routes: [] })),
  ),
  mutant(
    'routes-as-refs',
    'edges.list.created',
    'Routes of an edge in a list show their ids alone.',
    listed((edge) => ({ ...edge, routes: (edge['routes'] as Json[]).map(({ id, uri }) => ({ id, uri })) })),
  ),
  mutant(
    'route-modules-left-out',
    'edges.list.created',
    'Routes of an edge in a list are shown without SAML.',
    listed((edge) => ({ ...edge, routes: (edge['routes'] as Json[]).map((route) => ({ ...route, saml: null })) })),
  ),
  mutant(
    'modules-left-out',
    'edges.list.created',
    'Edges are listed without their modules.',
    listed((edge) => ({ ...edge, mutual_tls: null, tls_termination: null })),
  ),
  mutant(
    'hostports-left-out',
    'edges.list.created',
    'Edges are listed without their hostports.',
    listed((edge) => ({ ...edge, hostports: [] })),
  ),
  mutant(
    'metadata-left-out',
    'edges.list.created',
    'Edges are listed without their metadata.',
    listed((edge) => ({ ...edge, metadata: '' })),
  ),
  mutant(
    'without-routes-left-out',
    'edges.list.created',
    'An edge without routes is not listed.',
    list((page) => ({ ...page, https_edges: page.https_edges.filter(({ routes }) => (routes as Json[]).length > 0) })),
  ),
  mutant(
    'with-routes-twice',
    'edges.list.created',
    'An edge is listed once for each route, as by a join.',
    list((page) => ({
      ...page,
      https_edges: page.https_edges.flatMap((edge) => [edge, ...(edge['routes'] as Json[]).slice(1).map(() => edge)]),
    })),
  ),
  mutant(
    'as-created',
    'edges.list.created',
    'Edges are listed as they were created, without the routes that came later.',
    cached('deleteEdge'),
  ),
  mutant(
    'uri-of-list',
    'edges.list.created',
    'The `uri` of an edge in a list is that of the list.',
    listed((edge) => ({ ...edge, uri: String(edge['uri']).replace(/\/[^/]+$/, '') })),
  ),

  mutant(
    'deleted-remain',
    'edges.list.deleted',
    'Edges that were deleted stay in the list.',
    cached('updateEdge', 'createRoute'),
  ),
  mutant(
    'deleted-takes-next',
    'edges.list.deleted',
    'With an edge that was deleted, the one that is older is gone from the list.',
    remembering(() => {
      const older = new Map<string, string>();
      const hidden = new Set<string>();
      let last: string | undefined;
      return done(['createEdge', 'deleteEdge', 'listEdges'], (response, _, { operationId, path }) => {
        if (operationId === 'listEdges')
          return showing(response, {
            ...jsonOf(response),
            edges: jsonOf(response).edges.filter(({ id }: Json) => !hidden.has(String(id))),
          });
        if (operationId === 'deleteEdge') hidden.add(older.get(path['id']!) ?? '');
        else {
          if (last !== undefined) older.set(jsonOf(response).id, last);
          last = jsonOf(response).id;
        }
        return response;
      });
    }),
  ),
  mutant(
    'deleted-500',
    'edges.list.deleted',
    'After a deletion, the list fails once.',
    remembering(() => {
      let isStale = false;
      return instead(['deleteEdge', 'listEdges'], async (next, request, { operationId }) => {
        if (operationId === 'listEdges' && isStale) {
          isStale = false;
          return problem(500, 'internal_error');
        }
        const response = await next(request);
        if (operationId === 'deleteEdge' && response.status === 204) isStale = true;
        return response;
      });
    }),
  ),

  mutant(
    'offset-paging',
    'edges.list.writes',
    'A page begins behind a number of edges, so that new ones move the others.',
    byOffset,
  ),
  mutant(
    'cursor-gone',
    'edges.list.writes',
    'A cursor is refused when its edge was deleted.',
    whenGone(() =>
      problem(400, 'invalid_request', { errors: [{ parameter: 'cursor', code: 'value', detail: 'It is unknown.' }] }),
    ),
  ),
  mutant(
    'cursor-gone-restarts',
    'edges.list.writes',
    'A cursor whose edge was deleted begins again.',
    whenGone((all, request) => cutBehind()(all, { ...request, cursor: undefined })),
  ),
  mutant(
    'cursor-gone-ends',
    'edges.list.writes',
    'A cursor whose edge was deleted ends the list.',
    whenGone(() => ({ edges: [] })),
  ),
  mutant(
    'changed-moves',
    'edges.list.writes',
    'An edge that is changed moves to the first page, and those that are walking past miss it.',
    byChange,
  ),
  mutant(
    'new-ends-list',
    'edges.list.writes',
    'Once an edge is created, a cursor of before is refused.',
    remembering(() => {
      let created = 0;
      const count = done('createEdge', (response) => {
        created++;
        return response;
      });
      return both(
        count,
        pagingEdges((all, { limit, cursor }) => {
          const [id, version] = cursor?.split('.') ?? [undefined, String(created)];
          if (version !== String(created))
            return problem(400, 'invalid_request', {
              errors: [{ parameter: 'cursor', code: 'stale', detail: 'It is too old.' }],
            });
          const page = cutBehind()(all, { limit, cursor: id });
          return { ...page, next: page.next && { ...page.next, cursor: `${page.next['cursor']}.${created}` } };
        }),
      );
    }),
  ),
];
