/** The operations that change an item. */
import { branchesOf } from '../../contract/kinds.ts';
import type { Contract } from '../../contract/load.ts';
import type { Operation } from '../../contract/operations.ts';
import type { Shape } from '../../contract/shape.ts';
import { asRequest } from '../../contract/variants.ts';

/** A PATCH with members, or a PUT of what a POST takes, both of JSON objects. */
export function changing(
  contract: Contract,
  operation: Operation | undefined,
  sent: Shape,
): Operation | undefined {
  const body = operation?.requestBody;
  if (!operation || !body || !JSON_CHANGE.test(body.mediaType)) {
    return undefined;
  }
  if ('202' in operation.responses) {
    return undefined;
  }
  const shapes = branchesOf(asRequest(contract), body.pointer);
  if (shapes.some(({ types }) => types.size !== 1 || !types.has('object'))) {
    return undefined;
  }
  const isTaken = ({ properties }: Shape) =>
    [...sent.properties.keys()].every((name) => properties.has(name));
  if (operation.method === 'PATCH' || shapes.some(isTaken)) {
    return operation;
  }
  return undefined;
}

/** Media types of bodies that change an item as JSON. */
const JSON_CHANGE = /^application\/(json|merge-patch\+json|vnd\.[^;]*\+json)\s*(;|$)/i;
