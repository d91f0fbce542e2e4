/** Calls at paths that name nothing but what the run itself makes. */
import type { Operation } from '../contract/operations.ts';
import type { CallInput } from '../http/call.ts';
import type { Implementation } from '../http/implementation.ts';
import { NotPossible } from '../http/nonconformity.ts';
import type { Session } from '../http/session.ts';
import { validCall, withRequired } from '../requirements/calls.ts';

/**
 * A valid call of an operation at a path whose items are new ones.
 * @param likeIt operations on the same item: one of them gives the path where the operation itself
 *   was not reached, and needs nothing but the item
 * @throws NotPossible, Blocked
 */
export async function ownCallOf(
  session: Session,
  operation: Operation,
  likeIt: readonly Operation[],
): Promise<CallInput> {
  const { implementation } = session;
  if (isOwn(implementation, operation)) {
    return validCall(session, operation.operationId);
  }
  const other = likeIt.find((one) => isOwn(implementation, one));
  if (other === undefined || operation.requestBody?.required === true) {
    throw new NotPossible(`no new item is known for ${operation.operationId}`);
  }
  const { path = {} } = await validCall(session, other.operationId);
  return withRequired(implementation, operation, { path });
}

/**
 * Whether the run makes each item that the path of a reached operation names, parents included, and
 * leaves it in its first state.
 */
function isOwn(implementation: Implementation, operation: Operation): boolean {
  const { isReached, recipe } = implementation.survey[operation.operationId] ?? {};
  if (isReached !== true || recipe === undefined || recipe.before !== undefined) {
    return false;
  }
  const { sources, given, lent, isOwn: isMade } = recipe.path;
  const isNamed = operation.path.includes('{');
  const isOfOthers = lent.length > 0 || Object.keys(given).length > 0;
  if (isOfOthers || (isNamed && (!isMade || sources.length === 0))) {
    return false;
  }
  return sources.every(({ operationId }) => {
    const source = implementation.operations.get(operationId);
    const isMaker = source?.method === 'POST' || source?.method === 'PUT';
    return isMaker && isOwn(implementation, source);
  });
}
