/**
 * A second implementation of the contract, written from the contract by hand: no validator, no framework, and
 * other choices than the reference server's wherever the contract leaves one. A suite that finds fault with it asks for
 * more than the contract promises.
 */
import type { Service, ServiceRequest } from '../service.ts';
import { type HttpResponse, write } from './response.ts';
import { authorize, type Grant, requirePermitted, type Tokens } from './authorization.ts';
import { baseUrl, refuseForeignHost } from './base-url.ts';
import { EdgeStore } from './edge-store.ts';
import { edgeOperations } from './edges.ts';
import type { Operation, Order } from './operation.ts';
import { problem, Refusal } from './problem.ts';
import { routeOperations } from './routes.ts';
import { allow, requirePossible, route } from './routing.ts';
import { sourceOperations } from './sources.ts';
import { parseTarget } from './target.ts';

/** Without `token` the service runs open. `readOnlyToken`, beside it, permits no change. */
export interface IndependentServiceOptions extends Tokens {
  /** `core`: only the operations of the source document, as if there were no others. Default `extended`. */
  level?: 'core' | 'extended';
  /** What every `uri` begins with; else the Host header says. */
  publicUrl?: string | undefined;
  /** The next id of an edge or route; by default random ones of 12 to 64 characters. */
  newId?: () => string;
  /** The most items of a page; default 7. */
  mostItems?: number;
  /** Default `resource first`. */
  order?: Order;
}

const OWN_FAULT = new Refusal('internal_error', 'This should not have happened.');

/** In memory, and its own: two services share nothing. */
export function createIndependentService({
  level = 'extended',
  publicUrl,
  newId,
  mostItems,
  order,
  ...tokens
}: IndependentServiceOptions = {}): Service {
  const edges = new EdgeStore(newId);
  const all = [...edgeOperations(edges, mostItems), ...routeOperations(edges), ...sourceOperations(mostItems)];
  const operations = level === 'core' ? all.filter(isCore) : all;

  return async (request) => {
    try {
      const grant =
        request.method === 'OPTIONS' || isOpen(operations, request)
          ? 'reading'
          : authorize(request.headers['authorization'], tokens);
      const runsOpen = tokens.token === undefined;
      return write(response(operations, request, grant, { publicUrl, order, runsOpen }), request.method);
    } catch (error) {
      return write(problem(error instanceof Refusal ? error : OWN_FAULT), request.method);
    }
  };
}

function isCore({ method, path }: Operation): boolean {
  if (path.startsWith('/event_subscriptions/')) return true;
  return (method === 'POST' && path === '/edges/https') || (method === 'GET' && path === '/edges/https/{id}');
}

/** Whether the request is for what anyone may read. A target that cannot be read is for nothing. */
function isOpen(operations: readonly Operation[], { method, target }: ServiceRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  try {
    return route(operations, parseTarget(target).segments).operations.get('GET')?.open ?? false;
  } catch {
    return false;
  }
}

function response(
  operations: readonly Operation[],
  request: ServiceRequest,
  grant: Grant,
  { publicUrl, order, runsOpen }: { publicUrl: string | undefined; order: Order | undefined; runsOpen: boolean },
): HttpResponse {
  // The asterisk form (RFC 9112, 3.2.4) asks about the service as a whole.
  if (request.method === 'OPTIONS' && request.target === '*') {
    return { status: 204, headers: { allow: 'OPTIONS,POST,GET,HEAD,PATCH,DELETE' } };
  }
  const implementation = parseTarget(request.target);
  const host = implementation.host ?? request.headers['host'];
  const base = baseUrl(publicUrl, host);
  if (runsOpen) refuseForeignHost(publicUrl, host);
  const routed = route(operations, implementation.segments);
  const headers = { allow: allow(routed) };
  if (request.method === 'OPTIONS') return { status: 204, headers };
  const operation = routed.operations.get(request.method === 'HEAD' ? 'GET' : request.method);
  if (operation === undefined) throw new Refusal('method_not_allowed', 'Allow lists what works here.', { headers });
  requirePermitted(grant, operation.method);
  requirePossible(routed.params);
  return operation.handle(request, implementation, routed.params, base, order);
}
