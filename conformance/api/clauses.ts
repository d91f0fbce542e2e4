/** Additions of this API to clauses of bodies: valid bodies, how they are sent, what comes back, how often each is tried. */
import type fc from 'fast-check';
import type { Clause } from '../engine/contract/clauses.ts';
import type { Operation } from '../engine/contract/operations.ts';
import type { Implementation } from '../engine/http/implementation.ts';
import { expectSame } from '../engine/http/nonconformity.ts';
import type { HttpResponse } from '../engine/http/response.ts';
import type { Session } from '../engine/http/session.ts';
import { expectShown } from '../engine/laws/steps.ts';
import { type Json, MODULE_NAMES } from './modules.ts';
import { edges } from './resources/edges.ts';
import { routes } from './resources/routes.ts';
import { sources } from './resources/sources.ts';
import { acceptable, EDGE_CREATE } from './values/edges.ts';
import { distinctNames } from './values/routes.ts';
import type { CallInput } from '../engine/http/call.ts';

export const RESOURCES = [edges, routes, sources];

/** Any body that the operation must accept; undefined where bodies hold little but a name, which the laws vary. */
export function bodiesFor(
  { operationId }: Operation,
  implementation: Implementation,
): fc.Arbitrary<unknown> | undefined {
  for (const { calls, values } of RESOURCES) {
    if (calls.create === operationId) return values.bodies?.(implementation);
    if (calls.update === operationId) return values.patches?.(implementation);
  }
  return undefined;
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

/** A change shows what it sent: the resource that is changed was bare before. */
export function expectEcho({ operationId }: Operation, sent: unknown, { json }: HttpResponse): void {
  const what = 'The response is not what was sent';
  const body = sent as Json;
  for (const resource of RESOURCES) {
    if (resource.calls.update === operationId) expectShown(resource, what, json as Json, resource.changed({}, body));
    else if (resource.calls.create === operationId && resource !== edges)
      expectShown(resource, what, json as Json, resource.shown(body));
  }
  if (operationId !== 'createEdge') return;
  // Checked by the source alone, the form of modules counts for nothing.
  const { description, metadata, hostports } = edges.shown(body);
  expectSame(what, json, { description, metadata, hostports });
}
