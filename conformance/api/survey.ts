/** What existing subscriptions hold before the run: looked at, not checked. */
import { requestTargetOf } from '../engine/http/call.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { pagesFrom } from './pages-from.ts';

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
    let pages = 0;
    for await (const { status, items } of pagesFrom(client, list, 'sources', 'uri')) {
      if (pages++ === 0 && status === 404)
        return `--subscription-id ${id} is not known at ${client.base.href}: name a subscription that exists there`;
      foreign.add(
        id,
        items.map(({ type }) => type).filter((type) => typeof type === 'string'),
      );
    }
  }
  return undefined;
}
