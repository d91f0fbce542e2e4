/** What the members of a body name: a loan needs a book, and what makes books. */
import type { Contract } from '../contract/load.ts';
import type { Operation } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import { asRequest } from '../contract/variants.ts';
import { nounOf, resourceNamed, singular } from './names.ts';

/** The operations at the collections that a member of the body names: they make or list items. */
export function operationsNamedBy(
  contract: Contract,
  { requestBody }: Operation,
  all: readonly Operation[],
): Operation[] {
  if (requestBody === null) {
    return [];
  }
  const { properties } = shapeOf(asRequest(contract), requestBody.pointer);
  const named = new Set([...properties.keys()].flatMap((name) => resourceNamed(name) ?? []));
  return all.filter((operation) => {
    const isOfCollection = !operation.path.endsWith('}');
    const isMaking = operation.method === 'POST' || operation.method === 'GET';
    return isMaking && isOfCollection && named.has(singular(nounOf(operation) ?? ''));
  });
}
