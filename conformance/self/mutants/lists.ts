/** Lists that are not complete, not in order, or whose pages do not add up. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { jsonOf, problem, showing } from '../mutate/response.ts';
import { ascii, cutInOrder, type Page, type PageRequest, paging } from '../mutate/list.ts';
import { before, done, instead, type Mutate, refusing, remembering, showingAs } from '../mutate/mutate.ts';
import { type Json, withParameter } from '../mutate/request.ts';

const mutant = mutantsOf('lists');

const list = (change: (list: { sources: Json[]; uri: string | null }) => unknown) =>
  showingAs('listEventSources', change);

/** Pages by the number of sources before them. */
function byOffset(offsetOf: (end: number, limit: number) => number = (end) => end) {
  return (all: Json[], { limit = 100, cursor = '0' }: PageRequest): Page => {
    const end = Number(cursor) + limit;
    return {
      sources: all.slice(Number(cursor), end),
      next: end < all.length ? { limit: String(limit), cursor: String(offsetOf(end, limit)) } : undefined,
    };
  };
}

/** A correct list whose pages are changed. */
function pages(change: (page: Page, request: PageRequest, all: Json[]) => Page): Mutate {
  const cut = cutInOrder(ascii);
  return paging((all, request) => change(cut(all, request), request, all));
}

/** In the order in which sources were added. */
const unsorted: Mutate = remembering(() => {
  const added: string[] = [];
  const remember = done('createEventSource', (response) => {
    added.push(jsonOf(response).type);
    return response;
  });
  const order = (type: string) => added.lastIndexOf(type);
  const sorted = paging(cutInOrder((one, other) => order(one) - order(other)));
  return (service) => remember(sorted(service));
});

/** A list is kept as it was first read until a source is added. */
const cached: Mutate = remembering(() => {
  const kept = new Map<string, ReturnType<typeof jsonOf>>();
  return instead(['listEventSources', 'createEventSource'], async (next, request, { operationId, path }) => {
    const subscription = path['subscription_id']!;
    if (operationId === 'createEventSource') {
      kept.clear();
      return next(request);
    }
    const key = `${subscription} ${request.target}`;
    const response = await next(request);
    if (response.status !== 200) return response;
    if (kept.has(key)) return showing(response, kept.get(key));
    kept.set(key, jsonOf(response));
    return response;
  });
});

/** Only what was removed before counts: the list lags behind removals. */
const keepsRemoved: Mutate = remembering(() => {
  const removed = new Map<string, string[]>();
  return instead(['listEventSources', 'deleteEventSource'], async (next, request, { operationId, path }) => {
    const response = await next(request);
    const subscription = path['subscription_id']!;
    if (operationId === 'deleteEventSource') {
      if (response.status === 204) removed.set(subscription, [...(removed.get(subscription) ?? []), path['type']!]);
      return response;
    }
    const gone = removed.get(subscription);
    if (response.status !== 200 || !gone) return response;
    const shown = jsonOf(response);
    const uri = `http://${request.headers['host']}/event_subscriptions/${subscription}/sources/`;
    return showing(response, {
      ...shown,
      sources: [...shown.sources, ...gone.map((type) => ({ type, uri: uri + type }))],
    });
  });
});

export const lists: Mutant[] = [
  mutant('unsorted', 'sources.order', 'Sources are listed in the order in which they were added.', unsorted),
  mutant(
    'descending',
    'sources.order',
    'Sources are listed by descending type.',
    paging(cutInOrder((one, other) => -ascii(one, other))),
  ),
  mutant(
    'numeric',
    'sources.order',
    'Versions are sorted as numbers.',
    paging(cutInOrder((one, other) => one.localeCompare(other, 'en', { numeric: true }))),
  ),
  mutant(
    'locale',
    'sources.order',
    'Sources are sorted as in a dictionary.',
    paging(cutInOrder((one, other) => one.localeCompare(other, 'en') || ascii(one, other))),
  ),
  mutant(
    'by-length',
    'sources.order',
    'Shorter types come first.',
    paging(cutInOrder((one, other) => one.length - other.length || ascii(one, other))),
  ),
  mutant(
    'without-last',
    'sources.listed',
    'The last source is missing.',
    list((one) => ({ ...one, sources: one.uri === null ? one.sources.slice(0, -1) : one.sources })),
  ),
  mutant(
    'without-first',
    'sources.listed',
    'The first source is missing.',
    pages((page, { cursor }) => ({ ...page, sources: cursor === undefined ? page.sources.slice(1) : page.sources })),
  ),
  mutant(
    'one-only',
    'sources.listed',
    'Only one source is listed.',
    list((one) => ({ ...one, sources: one.sources.slice(0, 1) })),
  ),
  mutant(
    'two-at-most',
    'sources.listed',
    'The default page has two sources, and no page follows.',
    pages((page, { limit, cursor }) =>
      limit === undefined && cursor === undefined ? { sources: page.sources.slice(0, 2) } : page,
    ),
  ),
  mutant(
    'item-twice',
    'sources.listed',
    'The first source is listed twice.',
    list((one) => ({ ...one, sources: [...one.sources.slice(0, 1), ...one.sources] })),
  ),
  mutant('cached', 'sources.removed', 'A list that was read before is shown again after a removal.', cached),
  mutant('removed-remain', 'sources.removed', 'Sources that were removed stay in the list.', keepsRemoved),
  mutant(
    'empty-404',
    'sources.empty',
    'A subscription without sources is answered with 404.',
    done('listEventSources', (response) =>
      jsonOf(response).sources.length === 0 ? problem(404, 'not_found') : response,
    ),
  ),
  mutant(
    'last-removed-404',
    'sources.empty',
    'A subscription is gone when its last source is removed.',
    remembering(() => {
      const known = new Set<string>();
      return done(['createEventSource', 'listEventSources'], (response, _, { operationId, path }) => {
        if (operationId === 'createEventSource') known.add(path['subscription_id']!);
        else if (known.has(path['subscription_id']!) && jsonOf(response).sources.length === 0)
          return problem(404, 'not_found');
        return response;
      });
    }),
  ),
  mutant(
    'repeats-over-pages',
    'sources.pages',
    'The last source of a page is the first of the next.',
    pages((page, { cursor, limit = 100 }, all) => {
      if (cursor === undefined) return page;
      const overlap = all.filter(({ type }) => type === cursor);
      return { ...page, sources: [...overlap, ...page.sources].slice(0, limit + 1) };
    }),
  ),
  mutant(
    'skips-between-pages',
    'sources.pages',
    'The first source of each further page is skipped.',
    pages((page, { cursor }) => (cursor === undefined ? page : { ...page, sources: page.sources.slice(1) })),
  ),
  mutant(
    'page-too-large',
    'sources.pages',
    'A page has one source more than `limit`.',
    pages((page, request, all) =>
      page.next ? cutInOrder(ascii)(all, { ...request, limit: (request.limit ?? 100) + 1 }) : page,
    ),
  ),
  mutant(
    'limit-lost',
    'sources.pages',
    'The `uri` of the next page has no `limit`.',
    pages((page) => ({ ...page, next: page.next && { cursor: page.next['cursor']! } })),
  ),
  mutant(
    'second-page-last',
    'sources.pages',
    'No page follows the second one.',
    pages((page, { cursor }) => (cursor === undefined ? page : { sources: page.sources })),
  ),
  mutant(
    'last-page-lost',
    'sources.pages',
    'The last page is left out unless it is full.',
    paging((all, { limit = 100, cursor = '0' }) => {
      const end = Number(cursor) + limit;
      const more = all.length >= end + limit;
      return {
        sources: all.slice(Number(cursor), end),
        next: more ? { limit: String(limit), cursor: String(end) } : undefined,
      };
    }),
  ),
  mutant(
    'page-beyond',
    'sources.pages',
    'Pages are counted from 1 and begin one too far.',
    paging(byOffset((end) => end + 1)),
  ),
  mutant(
    'unsorted-pages',
    'sources.pages',
    'A page is cut before the list is sorted.',
    paging((all, request) => {
      const mixed = all.toReversed();
      const cut = cutInOrder(ascii)(mixed.slice(0, request.limit ?? 100), request);
      return {
        ...cut,
        next:
          all.length > (request.limit ?? 100) && request.cursor === undefined
            ? { limit: String(request.limit), cursor: String(cut.sources.at(-1)!['type']) }
            : cut.next,
      };
    }),
  ),
  mutant(
    'next-is-first',
    'sources.pages',
    'The `uri` of the next page leads to the first one.',
    list((one) => ({ ...one, uri: one.uri === null ? null : one.uri.replace(/cursor=[^&]*&?/, '') })),
  ),
  mutant(
    'next-is-same',
    'sources.pages',
    'The `uri` of the next page leads to the same page.',
    done('listEventSources', (response, request) => {
      const shown = jsonOf(response);
      return showing(response, {
        ...shown,
        uri: shown.uri === null ? null : `http://${request.headers['host']}${request.target}`,
      });
    }),
  ),
  mutant(
    'uri-never-null',
    'sources.pages.last',
    'The last page leads to an empty one, and so on.',
    pages((page, { limit = 100 }, all) => ({
      ...page,
      next: page.next ?? { limit: String(limit), cursor: String(all.at(-1)?.['type'] ?? 'a') },
    })),
  ),
  mutant(
    'uri-of-itself',
    'sources.pages.last',
    'The last page gives its own address as the next one.',
    done('listEventSources', (response, request) =>
      showing(response, {
        ...jsonOf(response),
        uri: jsonOf(response).uri ?? `http://${request.headers['host']}${request.target}`,
      }),
    ),
  ),
  mutant(
    'uri-relative',
    'sources.pages',
    'The `uri` of the next page is a path.',
    list((one) => ({ ...one, uri: one.uri === null ? null : new URL(one.uri).pathname + new URL(one.uri).search })),
  ),
  mutant(
    'uri-query-only',
    'sources.pages',
    'The `uri` of the next page is a query alone.',
    list((one) => ({ ...one, uri: one.uri === null ? null : new URL(one.uri).search })),
  ),
  mutant(
    'hundred-at-most',
    'sources.pages.default',
    'The default page has 100 sources, and no page follows.',
    pages((page, { limit, cursor }) =>
      limit === undefined && cursor === undefined ? { sources: page.sources } : page,
    ),
  ),
  mutant(
    'no-default-limit',
    'sources.pages.default',
    'Without `limit`, a page has all sources.',
    pages((page, { limit, cursor }, all) => (limit === undefined && cursor === undefined ? { sources: all } : page)),
  ),
  mutant(
    'uri-always-null',
    'sources.pages.limit',
    'No page has a next one.',
    list((one) => ({ ...one, uri: null })),
  ),
  mutant(
    'limit-ignored',
    'sources.pages.limit',
    '`limit` is ignored.',
    before('listEventSources', (request) => withParameter(request, 'limit', () => undefined)),
  ),
  mutant(
    'limit-off-by-one',
    'sources.pages.limit',
    'A page has one source more than `limit`.',
    before('listEventSources', (request) =>
      withParameter(request, 'limit', (value) => (/^[1-9]\d?$/.test(value) ? String(Number(value) + 1) : value)),
    ),
  ),
  mutant(
    'offset-paging',
    'sources.pages.writes',
    'A page begins behind a number of sources, so that a removal moves the others.',
    paging(byOffset()),
  ),
  mutant(
    'cursor-removed',
    'sources.pages.writes',
    'A cursor is refused when its source was removed.',
    paging((all, request) =>
      request.cursor !== undefined && !all.some(({ type }) => type === request.cursor)
        ? problem(400, 'malformed_request')
        : cutInOrder(ascii)(all, request),
    ),
  ),
  mutant(
    'cursor-removed-restarts',
    'sources.pages.writes',
    'A cursor whose source was removed begins again.',
    paging((all, request) =>
      cutInOrder(ascii)(all, {
        ...request,
        cursor: all.some(({ type }) => type === request.cursor) ? request.cursor : undefined,
      }),
    ),
  ),
  mutant(
    'cursor-removed-ends',
    'sources.pages.writes',
    'A cursor whose source was removed ends the list.',
    paging((all, request) =>
      request.cursor !== undefined && !all.some(({ type }) => type === request.cursor)
        ? { sources: [] }
        : cutInOrder(ascii)(all, request),
    ),
  ),
  mutant(
    'unknown-404',
    'listEventSources.200',
    'A subscription that never had a source is unknown.',
    remembering(() => {
      const known = new Set<string>();
      return (service) =>
        done(['createEventSource', 'listEventSources'], (response, _, { operationId, path }) => {
          if (operationId === 'createEventSource') known.add(path['subscription_id']!);
          return known.has(path['subscription_id']!) ? response : problem(404, 'not_found');
        })(service);
    }),
  ),
  mutant(
    'errors-as-empty',
    'listEventSources.query.limit.type',
    'A list that cannot be read is shown as empty.',
    (service) => async (request) => {
      const response = await service(request);
      return /\/sources(\?|$)/.test(request.target) && request.method === 'GET'
        ? refusing(400, (refused) => ({
            ...showing(refused, { sources: [], uri: null }),
            status: 200,
            headers: { 'content-type': 'application/json' },
          }))(async () => response)(request)
        : response;
    },
  ),
];
