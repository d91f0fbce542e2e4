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

/** JSON texts that are right but for a name that stands twice in an object of theirs, whichever of the two is kept. */
export function repeatedNamesAtDepth({ operationId, path }: Operation): string[] {
  if (!path.startsWith('/edges/')) return [];
  if (!operationId.endsWith('Route')) {
    return [
      '{"tls_termination":{"enabled":true,"enabled":true}}',
      '{"mutual_tls":{"certificate_authority_ids":[],"enabled":true,"certificate_authority_ids":[]}}',
    ];
  }
  return [
    '"compression":{"enabled":true,"enabled":false}',
    '"request_headers":{"add":{"X-A":"1","X-A":"1"}}',
    '"response_headers":{"add":{"X-A":"1","X-B":"2","X-\\u0041":"3"}}',
    '"oauth":{"provider":{"github":{"teams":[],"scopes":[],"teams":[]}}}',
  ].map((module) => `{"match_type":"path_prefix","match":"/",${module}}`);
}

/** JSON texts that are right but for a lone surrogate, below the top. */
export function loneSurrogatesAtDepth({ operationId, path }: Operation): string[] {
  if (!path.startsWith('/edges/') || !operationId.endsWith('Route')) return [];
  return [
    '"request_headers":{"add":{"X-A":"\\ud800"}}',
    '"traffic_policy":{"value":"\\udc00\\ud800"}',
    '"oidc":{"issuer":"https://login.example.com","client_id":"a","scopes":["openid","a","\\uD83D"]}',
    '"webhook_verification":{"provider":"sns","secret":"a\\udfffb"}',
  ].map((module) => `{"match_type":"path_prefix","match":"/",${module}}`);
}
