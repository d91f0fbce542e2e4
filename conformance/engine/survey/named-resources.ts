/**
 * What the members of a body and the parameters of a query name: a loan needs a book, and what
 * makes books.
 */
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { membersSent, nounOf, resourceNamed, singular } from '../contract/nouns.ts';

/**
 * The operations at the collections that a member of the body or a parameter of the query names:
 * they make or list items.
 */
export function operationsNamedBy(
  contract: Contract,
  operation: Operation,
  all: readonly Operation[],
): Operation[] {
  const inQuery = operation.parameters.filter((one) => one.in === 'query');
  const names = [...inQuery.map(({ name }) => name), ...membersSent(contract, operation)];
  const named = new Set(names.flatMap((name) => resourceNamed(name) ?? []));
  return all.filter((one) => {
    const isOfCollection = !one.path.endsWith('}');
    const isMaking = one.method === 'POST' || one.method === 'GET';
    return isMaking && isOfCollection && named.has(singular(nounOf(one) ?? ''));
  });
}
