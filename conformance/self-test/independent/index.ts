/**
 * A second implementation of the contract, written by hand. It has no validator and no framework,
 * and makes other choices than the reference server wherever the contract leaves one. A suite that
 * fails it asks for more than the contract.
 */
import type { Service, ServiceRequest } from '../service.ts';
import { type AccessOptions, baseUrl, mayWrite, readOnlyError } from './access.ts';
import { attempt } from './attempt.ts';
import { edgeOperations } from './edge-operations.ts';
import { Edges, randomId } from './edges.ts';
import { handle, type Operation, type Order } from './operation.ts';
import type { PageOptions } from './pages.ts';
import { ApiError, problem } from './problem.ts';
import { parseTarget } from './request.ts';
import { type HttpResponse, write } from './response.ts';
import { routeOperations } from './route-operations.ts';
import { requirePossible, route } from './routing.ts';
import { sourceOperations } from './source-operations.ts';

export interface IndependentServiceOptions extends AccessOptions, PageOptions {
  /**
   * `core`: only the operations of the source document, as if there were no others. Default
   * `extended`.
   */
  level?: 'core' | 'extended';
  /** Returns the next id of an edge or route; by default random ids of 12 to 64 characters. */
  newId?: () => string;
  /**
   * Returns the next id of a route of an edge, which other edges may have, too; by default that of
   * `newId`.
   */
  newRouteId?: (edgeId: string) => string;
  /** Default `resource first`. */
  order?: Order;
}

/** Keeps its data in memory: two services share nothing. */
export function createIndependentService(options: IndependentServiceOptions = {}): Service {
  const operations = operationsFor(options);
  return async (request) => {
    const response = respondOrRefuse(operations, request, options);
    return write(response, request.method);
  };
}

function operationsFor(options: IndependentServiceOptions): Operation[] {
  const { level = 'extended', newId = randomId, newRouteId = newId } = options;
  const edges = new Edges();
  const all = [
    ...edgeOperations(edges, newId, options),
    ...routeOperations(edges, newRouteId),
    ...sourceOperations(options),
  ];
  if (level === 'core') {
    return all.filter(isCore);
  }
  return all;
}

const CORE_OF_EDGES = ['POST /edges/https', 'GET /edges/https/{edge_id}'];

function isCore({ method, path }: Operation): boolean {
  return path.startsWith('/event_subscriptions/') || CORE_OF_EDGES.includes(`${method} ${path}`);
}

function respondOrRefuse(
  operations: readonly Operation[],
  request: ServiceRequest,
  options: IndependentServiceOptions,
): HttpResponse {
  try {
    return respond(operations, request, options);
  } catch (error) {
    if (error instanceof ApiError) {
      return problem(error);
    }
    return problem(new ApiError('internal_error', 'This should not have happened.'));
  }
}

function respond(
  operations: readonly Operation[],
  request: ServiceRequest,
  options: IndependentServiceOptions,
): HttpResponse {
  const { method, headers } = request;
  const { order = 'resource first' } = options;
  const isUnrestricted = method === 'OPTIONS' || isOpen(operations, request);
  const permitsChanges = () => isUnrestricted || mayWrite(headers['authorization'], options);
  if (order !== 'credentials last') {
    permitsChanges();
  }

  const target = parseTarget(request.target);
  const base = baseUrl(options, headers['host']);
  const found = route(operations, target.segments);
  const allow = allowedMethods(found.operations);
  if (method === 'OPTIONS') {
    return { status: 204, headers: { allow } };
  }
  const operation = found.operations.get(method === 'HEAD' ? 'GET' : method);
  if (operation === undefined) {
    throw new ApiError('method_not_allowed', 'Allow lists what works here.', {
      headers: { allow },
    });
  }
  const permit = () => {
    if (!permitsChanges() && operation.method !== 'GET') {
      throw readOnlyError();
    }
  };
  const { params } = found;
  requirePossible(params);
  return handle(operation, request, { target, params, base, order, permit });
}

function allowedMethods(operations: ReadonlyMap<string, Operation>): string {
  const methods = ['OPTIONS', ...operations.keys()];
  if (operations.has('GET')) {
    methods.push('HEAD');
  }
  return methods.join(',');
}

/** Whether the request reads what anyone may read. A target that cannot be read names nothing. */
function isOpen(operations: readonly Operation[], { method, target }: ServiceRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') {
    return false;
  }
  const found = attempt(() => route(operations, parseTarget(target).segments));
  return found?.operations.get('GET')?.isOpen ?? false;
}
