/** Of each operation with a body: any body that it must accept, and the smallest. */
import type fc from 'fast-check';
import { validValues } from '../arbitraries/valid.ts';
import type { Operation } from '../contract/operations.ts';
import type { Target } from '../target/target.ts';
import { edgeBodies } from './edge-values.ts';
import { BARE, routeBodies, routePatches } from './route-values.ts';

/** Undefined for operations whose bodies hold little but a name, which the laws vary. */
export function bodiesFor({ operationId, requestBody }: Operation, target: Target): fc.Arbitrary<unknown> | undefined {
  switch (operationId) {
    case 'createEdge':
      return edgeBodies(target);
    case 'updateEdge':
      return validValues(target.contract, requestBody!.pointer, target.hints);
    case 'createRoute':
      return routeBodies(target);
    case 'updateRoute':
      return routePatches(target);
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
