/** Of each operation with a body: any body that it must accept, and the smallest. */
import type fc from 'fast-check';
import { validValues } from '../engine/generate/valid.ts';
import type { Operation } from '../engine/contract/operations.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { edgeBodies } from './values/edge-values.ts';
import { BARE, routeBodies, routePatches } from './values/route-values.ts';

/** Undefined for operations whose bodies hold little but a name, which the laws vary. */
export function bodiesFor(
  { operationId, requestBody }: Operation,
  implementation: Implementation,
): fc.Arbitrary<unknown> | undefined {
  switch (operationId) {
    case 'createEdge':
      return edgeBodies(implementation);
    case 'updateEdge':
      return validValues(implementation.contract, requestBody!.pointer, implementation.hints);
    case 'createRoute':
      return routeBodies(implementation);
    case 'updateRoute':
      return routePatches(implementation);
    default:
      return undefined;
  }
}

export function minimalBody({ operationId }: Operation): Record<string, unknown> {
  if (operationId === 'createEventSource') return { type: 'a.v0' };
  return operationId === 'createRoute' ? BARE : {};
}

/** A property that holds a text. */
export function textField({ path }: Operation): string {
  return path.startsWith('/edges/') ? 'description' : 'type';
}
