/** The whole list of a subscription, for mutants that cut their own pages from it. */
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { baseOf, json, jsonOf } from './response.ts';
import { instead, type Mutate } from './mutate.ts';
import { ask, type Json, queryOf, sourcesPath, withQuery } from './request.ts';

/** By ascending type, whatever the pages of the service. */
export async function wholeList(service: Service, request: ServiceRequest, subscription: string): Promise<Json[]> {
  const sources: Json[] = [];
  for (let target: string | undefined = sourcesPath(subscription); target !== undefined;) {
    const page: { sources: Json[]; uri: string | null } = jsonOf(await ask(service, request, 'GET', target));
    sources.push(...page.sources);
    const next: URL | undefined = page.uri === null ? undefined : new URL(page.uri);
    target = next && next.pathname + next.search;
  }
  return sources;
}

export interface PageRequest {
  limit: number | undefined;
  cursor: string | undefined;
  subscription: string;
}

export interface Page {
  sources: Json[];
  /** The query of the next page; undefined on the last one. */
  next?: Record<string, string> | undefined;
}

/** Cuts pages in its own way. Requests that the service refuses stay refused, apart from their cursor. */
export function paging(cut: (all: Json[], page: PageRequest) => Page | ServiceResponse): Mutate {
  return instead('listEventSources', async (service, request, { path }) => {
    const pairs = queryOf(request);
    const query = new Map(pairs);
    const [cursor, ...more] = pairs.filter(([name]) => name === 'cursor').map(([, value]) => value);
    const isOwn = cursor !== undefined && cursor !== '' && cursor.length <= 512 && more.length === 0;
    const checked = await service(
      isOwn
        ? withQuery(
            request,
            pairs.filter(([name]) => name !== 'cursor'),
          )
        : request,
    );
    if (checked.status !== 200) return checked;
    const subscription = path['subscription_id']!;
    const limit = query.has('limit') ? Number(query.get('limit')) : undefined;
    const page = cut(await wholeList(service, request, subscription), { limit, cursor, subscription });
    if ('status' in page) return page;
    const search =
      page.next &&
      Object.entries(page.next)
        .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
        .join('&');
    return json(200, {
      sources: page.sources,
      uri: search === undefined ? null : `${baseOf(request)}${sourcesPath(subscription)}?${search}`,
    });
  });
}

export const ascii = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
