/**
 * What the members of a body and the parameters of a query name: a loan needs a book, and what
 * makes books.
 */
import { supported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { nounOf, resourceNamed, singular } from './names.ts';

/**
 * The operations at the collections that a member of the body or a parameter of the query names:
 * they make or list items.
 */
export function operationsNamedBy(
  contract: Contract,
  operation: Operation,
  all: readonly Operation[],
): Operation[] {
  const names = namesIn(contract, operation);
  const named = new Set(names.flatMap((name) => resourceNamed(name) ?? []));
  return all.filter((one) => {
    const isOfCollection = !one.path.endsWith('}');
    const isMaking = one.method === 'POST' || one.method === 'GET';
    return isMaking && isOfCollection && named.has(singular(nounOf(one) ?? ''));
  });
}

function namesIn(contract: Contract, { requestBody, parameters }: Operation): string[] {
  const names = parameters.filter((one) => one.in === 'query').map(({ name }) => name);
  if (requestBody === null) {
    return names;
  }
  const { pointer } = requestBody;
  const members = supported(
    () => [...shapeOf(asRequest(contract), pointer).properties.keys()],
    // The operation is skipped for this reason.
    () => [],
  );
  return [...names, ...members];
}
