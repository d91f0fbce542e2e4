/** The second page of a list, by its URI. */
import type { Operation } from '../../engine/contract/operations.ts';
import { NotPossible } from '../../engine/http/nonconformity.ts';
import type { Session } from '../../engine/http/session.ts';
import { type Json, pagedListOf, type Resource } from '../../engine/laws/resource.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { reachable } from '../../engine/laws/uris.ts';
import { resourcesOf } from '../implementation.ts';
import { required } from '../required.ts';

const PAGED_LISTS = ['listEdges', 'listEventSources'];

export function isPagedList({ operationId }: Operation): boolean {
  return PAGED_LISTS.includes(operationId);
}

/**
 * The target of the second page of a list whose first page has one item.
 * @throws NotPossible
 */
export async function nextPage(operation: Operation, session: Session): Promise<string> {
  const { implementation } = session;
  const isListed = ({ calls }: Resource) => calls.list === operation.operationId;
  const found = resourcesOf(implementation.contract).find(isListed);
  const resource = required(found, `${operation.operationId} lists no resource`);
  const steps = new Steps(session, resource);
  const { path } = (await steps.createSome({ items: 3, atLeast: 2 })).place;
  const { json } = await steps.succeed('list', { path, query: { limit: '1' } });
  const next = (json as Json)[pagedListOf(resource).next] ?? undefined;
  if (next === undefined) {
    throw new NotPossible('no page follows the first one, though others exist');
  }
  return reachable(session, next);
}
