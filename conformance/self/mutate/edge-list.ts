/** The whole list of edges, for mutants that cut their own pages from it. */
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { baseOf, json, jsonOf } from './response.ts';
import { EDGES } from './edges.ts';
import { instead, type Mutate } from './mutate.ts';
import { ask, type Json, queryOf, withQuery } from './request.ts';

/** Newest first, whatever the pages of the service. */
export async function wholeEdges(service: Service, request: ServiceRequest): Promise<Json[]> {
  const edges: Json[] = [];
  for (let target: string | undefined = EDGES; target !== undefined;) {
    const page: { https_edges: Json[]; next_page_uri: string | null } = jsonOf(
      await ask(service, request, 'GET', target),
    );
    edges.push(...page.https_edges);
    const next: URL | undefined = page.next_page_uri === null ? undefined : new URL(page.next_page_uri);
    target = next && next.pathname + next.search;
  }
  return edges;
}

export interface EdgePageRequest {
  limit: number;
  cursor: string | undefined;
}

export interface EdgePage {
  edges: Json[];
  /** The query of the next page; undefined on the last one. */
  next?: Record<string, string> | undefined;
}

/** Cuts pages in its own way. Requests that the service refuses stay refused, apart from their cursor. */
export function pagingEdges(cut: (all: Json[], page: EdgePageRequest) => EdgePage | ServiceResponse): Mutate {
  return instead('listEdges', async (service, request) => {
    const pairs = queryOf(request);
    const query = new Map(pairs);
    const cursor = query.get('cursor');
    const checked = await service(
      cursor
        ? withQuery(
            request,
            pairs.filter(([name]) => name !== 'cursor'),
          )
        : request,
    );
    if (checked.status !== 200) return checked;
    const page = cut(await wholeEdges(service, request), { limit: Number(query.get('limit') ?? 100), cursor });
    if ('status' in page) return page;
    const search =
      page.next &&
      Object.entries(page.next)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&');
    return json(200, {
      https_edges: page.edges,
      uri: `${baseOf(request)}${request.target}`,
      next_page_uri: search === undefined ? null : `${baseOf(request)}${EDGES}?${search}`,
    });
  });
}

/** Correct pages of any list: behind the edge that the cursor names, or behind the place that it had. */
export function cutBehind(
  placeOf: (all: Json[], cursor: string) => number = (all, cursor) => all.findIndex(({ id }) => id === cursor) + 1,
) {
  return (all: Json[], { limit, cursor }: EdgePageRequest): EdgePage => {
    const start = cursor === undefined ? 0 : placeOf(all, cursor);
    const edges = all.slice(start, start + limit);
    const isMore = all.length > start + edges.length;
    return { edges, next: isMore ? { limit: String(limit), cursor: String(edges.at(-1)!['id']) } : undefined };
  };
}
