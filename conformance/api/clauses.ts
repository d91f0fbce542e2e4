/** Additions of this API to clauses of bodies: valid bodies, how they are sent, what comes back, how often each is tried. */
import { expectSame } from '../engine/http/nonconformity.ts';
import { expectShown } from '../engine/laws/steps.ts';
import type { HttpApi } from '../engine/http/implementation.ts';
import type { Api } from '../engine/requirements/api.ts';
import { type Json, MODULE_NAMES } from './modules.ts';
import { edges } from './resources/edges.ts';
import { routes } from './resources/routes.ts';
import { sources } from './resources/sources.ts';
import { acceptable, EDGE_CREATE } from './values/edges.ts';
import { distinctNames } from './values/routes.ts';

export const RESOURCES = [edges, routes, sources];

export const BODIES: Pick<Api, 'bodies' | 'expectEcho' | 'weight'> = {
  /** Undefined where bodies hold little but a name, which the laws vary. */
  bodies({ operationId }, implementation) {
    for (const { calls, values } of RESOURCES) {
      if (calls.create === operationId) return values.bodies?.(implementation);
      if (calls.update === operationId) return values.patches?.(implementation);
    }
    return undefined;
  },
  /** A route has hundreds of clauses, most of them twice (to create and to change): each is tried less often than others. */
  weight({ method, requestBody }, { path: [name = ''] }) {
    const inModule = requestBody?.pointer !== EDGE_CREATE && (MODULE_NAMES as string[]).includes(name);
    if (!inModule) return 1;
    return method === 'POST' ? 0.4 : 0.2;
  },
  /** A change shows what it sent: the resource that is changed was bare before. */
  expectEcho({ operationId }, sent, { json }) {
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
  },
};

export const sendable: NonNullable<HttpApi['sendable']> = (
  { implementation },
  { operationId },
  { path, json: usual },
  json,
) => {
  if (operationId === 'createEdge') return acceptable(implementation, json as Json);
  if (operationId.endsWith('Route')) return distinctNames(json as Json);
  // On a shared subscription, a generated type may be a source of somebody else already: then one that is not.
  const { type } = (json ?? {}) as { type?: unknown };
  if (typeof type !== 'string' || !implementation.foreign.of(path?.['subscription_id'] ?? '').has(type)) return json;
  return { ...(json as object), type: path?.['type'] ?? (usual as { type: string }).type };
};
