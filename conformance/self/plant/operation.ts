/** Which operation a request calls. Written by hand: what a fault acts on must not depend on what the suite believes. */
import type { ServiceRequest } from '../service.ts';

export type OperationId =
  | 'createEdge'
  | 'getEdge'
  | 'createEventSource'
  | 'listEventSources'
  | 'getEventSource'
  | 'updateEventSource'
  | 'deleteEventSource';

export interface Call {
  operationId: OperationId;
  /** Path parameters, decoded. */
  path: Record<string, string>;
}

const PATHS: [RegExp, Record<string, OperationId>][] = [
  [/^\/edges\/https$/, { POST: 'createEdge' }],
  [/^\/edges\/https\/(?<id>[^/]+)$/, { GET: 'getEdge' }],
  [/^\/event_subscriptions\/(?<subscription_id>[^/]+)\/sources$/, { POST: 'createEventSource', GET: 'listEventSources' }],
  [
    /^\/event_subscriptions\/(?<subscription_id>[^/]+)\/sources\/(?<type>[^/]+)$/,
    { GET: 'getEventSource', PATCH: 'updateEventSource', DELETE: 'deleteEventSource' },
  ],
];

/** Undefined for HEAD, for OPTIONS and for everything that the contract does not have. */
export function callOf({ method, target }: ServiceRequest): Call | undefined {
  const [path = ''] = target.split('?', 1);
  for (const [pattern, methods] of PATHS) {
    const match = pattern.exec(path);
    const operationId = match && methods[method];
    if (!operationId) continue;
    try {
      return { operationId, path: Object.fromEntries(Object.entries(match.groups ?? {}).map(([name, value]) => [name, decodeURIComponent(value)])) };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

export const OPERATIONS: OperationId[] = [
  'createEdge',
  'getEdge',
  'createEventSource',
  'listEventSources',
  'getEventSource',
  'updateEventSource',
  'deleteEventSource',
];

/** Those that take a body. */
export const WRITING: OperationId[] = ['createEdge', 'createEventSource', 'updateEventSource'];

/** Those that answer GET, and so HEAD. */
export const READING: OperationId[] = ['getEdge', 'listEventSources', 'getEventSource'];
