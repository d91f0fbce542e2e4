/**
 * Which operation a request calls. Written by hand: what a mutant acts on must not depend on what the suite believes.
 */
import type { ServiceRequest } from '../service.ts';

const PATHS = [
  { path: /^\/edges\/https$/, methods: { GET: 'listEdges', POST: 'createEdge' } },
  { path: /^\/edges\/https\/(?<id>[^/]+)$/, methods: { GET: 'getEdge', PATCH: 'updateEdge', DELETE: 'deleteEdge' } },
  { path: /^\/edges\/https\/(?<edge_id>[^/]+)\/routes$/, methods: { POST: 'createRoute' } },
  {
    path: /^\/edges\/https\/(?<edge_id>[^/]+)\/routes\/(?<id>[^/]+)$/,
    methods: { GET: 'getRoute', PATCH: 'updateRoute', DELETE: 'deleteRoute' },
  },
  {
    path: /^\/event_subscriptions\/(?<subscription_id>[^/]+)\/sources$/,
    methods: { GET: 'listEventSources', POST: 'createEventSource' },
  },
  {
    path: /^\/event_subscriptions\/(?<subscription_id>[^/]+)\/sources\/(?<type>[^/]+)$/,
    methods: { GET: 'getEventSource', PATCH: 'updateEventSource', DELETE: 'deleteEventSource' },
  },
] as const;

type Values<T> = T extends T ? T[keyof T] : never;

export type OperationId = Values<(typeof PATHS)[number]['methods']>;

export interface Call {
  operationId: OperationId;
  /** Path parameters, decoded. */
  path: Record<string, string>;
}

/** Undefined for HEAD, for OPTIONS and for everything that the contract does not have. */
export function callOf({ method, target }: ServiceRequest): Call | undefined {
  const [sent = ''] = target.split('?', 1);
  for (const { path, methods } of PATHS) {
    const match = path.exec(sent);
    const operationId = match && (methods as Record<string, OperationId>)[method];
    if (!operationId) continue;
    try {
      return {
        operationId,
        path: Object.fromEntries(
          Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)]),
        ),
      };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

const CALLS = PATHS.flatMap(({ methods }) => Object.entries(methods) as [string, OperationId][]);

export const OPERATIONS: OperationId[] = CALLS.map(([, operation]) => operation);

let made = 0;

/** A body that the operation accepts; of one that adds a source or a route, another one each time. */
export function acceptedBody(operation: OperationId): Record<string, unknown> {
  if (operation === 'createEventSource') return { type: `accepted${++made}.v0` };
  return operation === 'createRoute' ? { match_type: 'exact_path', match: `/accepted/${++made}` } : {};
}
