/** Lists and their pages: items lost, repeated or out of order, pages too large, links that lead nowhere. */
import type { Service, ServiceRequest } from '../service.ts';
import { instead, type Mutate } from '../mutate/mutate.ts';
import { jsonOf, showing, succeeded } from '../mutate/response.ts';
import { ask, type Json, queryOf, withQuery } from '../mutate/request.ts';
import { type Api, has } from './api.ts';
import { idOf, type Operator } from './operator.ts';
import { texts } from '../../engine/contract/shape.ts';
import type { Operation } from '../../engine/contract/operations.ts';

/** A page of a list, whatever its properties are called. */
interface Page {
  items: Json[];
  /** Of the next page. */
  link: string | null;
  /** What the query of this page says. */
  limit: number | undefined;
  cursor: string | undefined;
  isFirst: boolean;
}

interface ListForm {
  operation: Operation;
  items: string;
  link: string;
}

function formsOf(api: Api): ListForm[] {
  return api.resources.flatMap(({ list: operation }) => {
    if (!operation) return [];
    const fields = api.shown
      .filter(([one, { path }]) => one === operation && path.length === 1)
      .map(([, field]) => field);
    const items = fields.find((field) => has(field, 'array'));
    const link = fields.find((field) => has(field, 'null') && texts(field.shape, 'format').includes('uri'));
    return items && link ? [{ operation, items: items.name, link: link.name }] : [];
  });
}

type Change = (
  page: Page,
  request: ServiceRequest,
  whole: () => Promise<Json[]>,
) => Partial<Page> | Promise<Partial<Page>>;

function paging(name: string, description: string, change: Change): Operator {
  return {
    name,
    description,
    variants: (api) =>
      formsOf(api).map((form) => ({
        at: form.operation.operationId,
        level: form.operation.level,
        mutate: changingPages(form, change),
      })),
  };
}

function changingPages({ operation, items, link }: ListForm, change: Change): Mutate {
  return instead(idOf(operation), async (next, request) => {
    const response = await next(request);
    if (!succeeded(response)) return response;
    const page = jsonOf(response);
    const query = new Map(queryOf(request));
    const limit = query.get('limit');
    const changed = await change(
      {
        items: page[items],
        link: page[link],
        limit: limit === undefined ? undefined : Number(limit),
        cursor: query.get('cursor'),
        isFirst: !query.has('cursor'),
      },
      request,
      () => wholeOf(next, request, items, link),
    );
    return showing(response, {
      ...page,
      ...(changed.items ? { [items]: changed.items } : {}),
      ...(changed.link === undefined ? {} : { [link]: changed.link }),
    });
  });
}

async function wholeOf(next: Service, request: ServiceRequest, items: string, link: string): Promise<Json[]> {
  const all: Json[] = [];
  for (let target: string | undefined = request.target.split('?', 1)[0]; target !== undefined;) {
    const page = jsonOf(await ask(next, request, 'GET', target));
    all.push(...page[items]);
    const uri: URL | undefined = page[link] === null ? undefined : new URL(page[link]);
    target = uri && uri.pathname + uri.search;
  }
  return all;
}

function linkWith(link: string | null, change: (uri: URL) => void): string | null {
  if (link === null) return null;
  const uri = new URL(link);
  change(uri);
  return uri.href;
}

const addressOf = ({ headers, target }: ServiceRequest) => `http://${headers['host']}${target}`;

/** Pages that are counted: a cursor is the number of the first item. */
const counted =
  (order: (items: Json[]) => Json[], most = 100): Change =>
  async ({ limit, cursor }, request, whole) => {
    const all = order(await whole());
    const start = Number(cursor ?? 0);
    const size = Math.min(limit ?? most, most);
    const uri = new URL(addressOf(request));
    uri.searchParams.set('cursor', String(start + size));
    return { items: all.slice(start, start + size), link: start + size < all.length ? uri.href : null };
  };

/** The service below sees no cursor: it would not know it. */
function countedPages(name: string, description: string, order: (items: Json[]) => Json[], most?: number): Operator {
  const change = counted(order, most);
  return {
    name,
    description,
    variants: (api) =>
      formsOf(api).map((form) => ({
        at: form.operation.operationId,
        level: form.operation.level,
        mutate: (service) => {
          const inner: Service = (request) => {
            const pairs = queryOf(request);
            const others = pairs.filter(([key, value]) => !(key === 'cursor' && /^\d{1,6}$/.test(value)));
            return service(others.length === pairs.length - 1 ? withQuery(request, others) : request);
          };
          return changingPages(form, change)(inner);
        },
      })),
  };
}

export const lists: Operator[] = [
  paging('list-lacks-first', 'The first item of a list is missing.', ({ items, isFirst }) => ({
    items: isFirst ? items.slice(1) : items,
  })),
  paging('list-lacks-last', 'The last item of a list is missing.', ({ items, link }) => ({
    items: link === null ? items.slice(0, -1) : items,
  })),
  paging('list-repeats', 'The first item of a list is listed twice.', ({ items, isFirst }) => ({
    items: isFirst ? [...items.slice(0, 1), ...items] : items,
  })),
  paging('page-reversed', 'The items of a page are in the opposite order.', ({ items }) => ({
    items: items.toReversed(),
  })),
  countedPages('list-reversed', 'A list is in the opposite order.', (all) => all.toReversed()),
  countedPages('list-rotated', 'A list begins with its last item.', (all) => [...all.slice(-1), ...all.slice(0, -1)]),
  countedPages('list-by-length', 'A list is sorted by the length of its items.', (all) =>
    all.toSorted((one, other) => JSON.stringify(one).length - JSON.stringify(other).length),
  ),
  countedPages(
    'pages-counted',
    'A page begins behind a number of items, so that a deletion moves the others.',
    (all) => all,
  ),
  countedPages('page-above-hundred', 'A page has up to 1,000 items where `limit` is omitted.', (all) => all, 1000),
  countedPages('list-capped', 'A list ends after five items.', (all) => all.slice(0, 5)),
  paging('limit-ignored', 'A page has all items, whatever `limit` says.', async ({ isFirst }, _, whole) =>
    isFirst ? { items: await whole(), link: null } : {},
  ),
  paging('limit-off-by-one', 'A page has one item more than `limit`.', async ({ items, limit }, _, whole) => {
    const all = await whole();
    const after = all.findIndex(({ uri }) => uri === items.at(-1)?.['uri']) + 1;
    return { items: limit === undefined || items.length < limit ? items : [...items, ...all.slice(after, after + 1)] };
  }),
  paging('link-lost', 'No page has a next one.', () => ({ link: null })),
  paging('link-lost-later', 'The second page has no next one.', ({ link, isFirst }) => ({
    link: isFirst ? link : null,
  })),
  paging('link-to-first', 'The link to the next page leads to the first one.', ({ link }) => ({
    link: linkWith(link, (uri) => uri.searchParams.delete('cursor')),
  })),
  paging('link-to-same', 'The link to the next page leads to the same page.', ({ link }, request) => ({
    link: link === null ? null : addressOf(request),
  })),
  paging('link-of-last', 'The last page has a link to itself.', ({ link }, request) => ({
    link: link ?? addressOf(request),
  })),
  paging('link-without-limit', 'The link to the next page does not keep `limit`.', ({ link }) => ({
    link: linkWith(link, (uri) => uri.searchParams.delete('limit')),
  })),
  paging('link-other-limit', 'The link to the next page has a larger `limit`.', ({ link, limit }) => ({
    link:
      limit === undefined || limit > 99
        ? link
        : linkWith(link, (uri) => uri.searchParams.set('limit', String(limit + 1))),
  })),
  paging('link-relative', 'The link to the next page is a path.', ({ link }) => ({
    link: link === null ? null : new URL(link).pathname + new URL(link).search,
  })),
  paging('link-query-only', 'The link to the next page is a query.', ({ link }) => ({
    link: link === null ? null : new URL(link).search,
  })),
  paging(
    'pages-overlap',
    'The last item of a page is the first one of the next.',
    async ({ items, isFirst }, _, whole) => {
      const all = isFirst ? [] : await whole();
      const at = all.findIndex(({ uri }) => uri === items[0]?.['uri']);
      return { items: at > 0 ? [all[at - 1]!, ...items.slice(0, -1)] : items };
    },
  ),
  paging('pages-skip', 'The first item of each further page is missing.', ({ items, isFirst }) => ({
    items: isFirst ? items : items.slice(1),
  })),
  paging('empty-page', 'Pages behind the first one are empty.', ({ items, isFirst }) => ({
    items: isFirst ? items : [],
  })),
  {
    name: 'empty-list-404',
    description: 'An empty list is not found.',
    variants: (api) =>
      formsOf(api).map(({ operation, items }) => ({
        at: operation.operationId,
        level: operation.level,
        mutate: instead(idOf(operation), async (next, request) => {
          const response = await next(request);
          const isEmpty = succeeded(response) && jsonOf(response)[items].length === 0;
          return isEmpty ? ask(next, request, 'GET', '/nothing') : response;
        }),
      })),
  },
  {
    name: 'foreign-cursor',
    description: 'A cursor that the service did not give begins the list again.',
    variants: (api) =>
      formsOf(api).map(({ operation }) => ({
        at: operation.operationId,
        level: operation.level,
        mutate: instead(idOf(operation), async (next, request) => {
          const response = await next(request);
          const about = jsonOf(response)?.errors?.[0]?.parameter;
          return about === 'cursor'
            ? next(
                withQuery(
                  request,
                  queryOf(request).filter(([name]) => name !== 'cursor'),
                ),
              )
            : response;
        }),
      })),
  },
];
