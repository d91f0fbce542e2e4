/** What existing subscriptions hold before the run: looked at, not checked. */
import { HttpResponse } from '../engine/http/response.ts';
import { requestTargetOf } from '../engine/http/session.ts';
import { type Client, NoResponse } from '../engine/http/client.ts';
import type { Implementation } from '../engine/http/implementation.ts';

/**
 * Notes the sources of somebody else, to be left alone.
 * @returns why the service cannot be checked, and what to do about it; undefined when it can
 */
export async function surveySubscriptions({
  client,
  operations,
  subscriptions,
  foreign,
}: Implementation): Promise<string | undefined> {
  for (const id of subscriptions.existing) {
    const list = requestTargetOf(operations.get('listEventSources')!, { path: { subscription_id: id } });
    const status = await survey(client, list, (types) => foreign.add(id, types));
    if (status === 404)
      return `--subscription-id ${id} is not known at ${client.base.href}: name a subscription that exists there`;
  }
  return undefined;
}

/** Pages of a list that is only looked at. */
const MAX_PAGES = 100;

/**
 * Lists a subscription without judging: what cannot be read is not there, and the requirements will say so.
 * @returns the status of the first page, undefined when there was no response
 */
async function survey(client: Client, list: string, found: (types: string[]) => void): Promise<number | undefined> {
  let status: number | undefined;
  let target = list;
  try {
    for (let page = 0; page < MAX_PAGES; page++) {
      const response = new HttpResponse(await client.send({ method: 'GET', target }));
      status ??= response.status;
      const { sources, uri } = (response.json ?? {}) as { sources?: unknown; uri?: unknown };
      if (response.status !== 200 || !Array.isArray(sources)) break;
      found(
        sources.map((source: { type?: unknown } | null) => source?.type).filter((type) => typeof type === 'string'),
      );
      if (typeof uri !== 'string' || !URL.canParse(uri)) break;
      // Only the query leads on: a service behind a proxy may name another host.
      target = list + new URL(uri).search;
    }
  } catch (error) {
    if (!(error instanceof NoResponse)) throw error;
  }
  return status;
}
