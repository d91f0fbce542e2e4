/** What this API adds to the clauses of its bodies: valid bodies, how they are sent, what comes back, how often each is tried. */
import type fc from 'fast-check';
import type { Clause } from '../engine/contract/clauses.ts';
import type { Operation } from '../engine/contract/operations.ts';
import { validValues } from '../engine/generate/valid.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { expectSame } from '../engine/http/nonconformity.ts';
import type { HttpResponse } from '../engine/http/response.ts';
import type { CallInput, Session } from '../engine/http/session.ts';
import { patched, patchedEdge, shownRoute } from './model/shown.ts';
import { type Json, MODULE_NAMES } from './modules.ts';
import { expectShown } from './steps.ts';
import { acceptable, EDGE_CREATE, edgeBodies } from './values/edges.ts';
import { distinctNames, routeBodies, routePatches } from './values/routes.ts';

/** Any body that the operation must accept; undefined where bodies hold little but a name, which the laws vary. */
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

/** A route has hundreds of clauses, most of them twice (to create and to change): each is tried less often than others. */
export function weightOf({ method, requestBody }: Operation, clause: Clause): number {
  const inModule = requestBody?.pointer !== EDGE_CREATE && (MODULE_NAMES as string[]).includes(clause.path[0] ?? '');
  if (!inModule) return 1;
  return method === 'POST' ? 0.4 : 0.2;
}

export function sendable(
  { implementation }: Session,
  { operationId }: Operation,
  { path, json: usual }: CallInput,
  json: unknown,
): unknown {
  if (operationId === 'createEdge') return acceptable(implementation, json as Json);
  if (operationId.endsWith('Route')) return distinctNames(json as Json);
  // On a shared subscription, a generated type may be a source of somebody else already: then one that is not.
  const { type } = (json ?? {}) as { type?: unknown };
  if (typeof type !== 'string' || !implementation.foreign.of(path?.['subscription_id'] ?? '').has(type)) return json;
  return { ...(json as object), type: path?.['type'] ?? (usual as { type: string }).type };
}

export function expectEcho(operation: Operation, sent: unknown, response: HttpResponse): void {
  const body = sent as Json;
  if (operation.path.startsWith('/event_subscriptions') && typeof body['type'] === 'string')
    expectSame('The response is another source than the one asked for', response.json, { type: body['type'] });
  if (operation.level === 'extended') {
    expectShown('The response is not what was sent', response.json as Json, shownBy(operation, body));
    return;
  }
  for (const name of ['description', 'metadata', 'hostports'].filter((field) => field in body)) {
    const due = body[name] ?? (name === 'hostports' ? [] : '');
    expectSame(`\`${name}\` is not what was sent`, (response.json as Json)[name], due);
  }
}

/** What the body alone makes the response show: the resource that is changed was bare before. */
function shownBy({ operationId }: Operation, sent: Json): Json {
  if (operationId === 'updateEdge') return patchedEdge({}, sent);
  return operationId === 'createRoute' ? shownRoute(sent) : patched({}, sent);
}
