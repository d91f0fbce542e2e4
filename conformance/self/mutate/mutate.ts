/** Ways to stand between the wire and a service. */
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { jsonOf, showing, succeeded } from './response.ts';
import { type Call, callOf, type OperationId } from './operation.ts';
import { isObject, type Json, jsonIn, sending } from './request.ts';

export type Mutate = (service: Service) => Service;

type Some = OperationId | readonly OperationId[];

/** Handles the calls of some operations itself; all else goes on as it is. */
export function instead(
  operations: Some,
  handle: (next: Service, request: ServiceRequest, call: Call) => Promise<ServiceResponse>,
): Mutate {
  const some: readonly OperationId[] = typeof operations === 'string' ? [operations] : operations;
  return (next) => async (request) => {
    const call = callOf(request);
    return call && some.includes(call.operationId) ? handle(next, request, call) : next(request);
  };
}

/** Rewrites requests on their way in. */
export function before(operations: Some, change: (request: ServiceRequest, call: Call) => ServiceRequest): Mutate {
  return instead(operations, (next, request, call) => next(change(request, call)));
}

/** Rewrites all responses of some operations on their way out. */
export function after(
  operations: Some,
  change: (
    response: ServiceResponse,
    request: ServiceRequest,
    call: Call,
  ) => ServiceResponse | Promise<ServiceResponse>,
): Mutate {
  return instead(operations, async (next, request, call) => change(await next(request), request, call));
}

/** Rewrites successes only. */
export function done(
  operations: Some,
  change: (
    response: ServiceResponse,
    request: ServiceRequest,
    call: Call,
  ) => ServiceResponse | Promise<ServiceResponse>,
): Mutate {
  return after(operations, (response, request, call) =>
    succeeded(response) ? change(response, request, call) : response,
  );
}

/** Rewrites refusals with this status, whatever they refuse. */
export function refusing(
  status: number | 'any',
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
): Mutate {
  return (next) => async (request) => {
    const response = await next(request);
    return response.status >= 400 && (status === 'any' || response.status === status)
      ? change(response, request)
      : response;
  };
}

/** Changes the JSON that requests carry, whatever it is. */
export function taking(operations: Some, change: (json: any, call: Call) => unknown): Mutate {
  return before(operations, (request, call) => {
    const sent = jsonIn(request);
    const changed = sent === undefined ? undefined : change(sent, call);
    // What is not changed goes on as it was written: with its white space, its escapes and its size.
    return JSON.stringify(changed) === JSON.stringify(sent) ? request : sending(request, changed);
  });
}

/** Changes what a new edge is made from: what is kept is something else than what was sent. */
export function keeping(change: (body: Json) => Json): Mutate {
  return taking('createEdge', (body) => (isObject(body) ? change(body) : body));
}

/** Changes the value of one property of a new edge, where it was sent as a value of this type. */
export function keepingText(name: 'description' | 'metadata', change: (text: string) => string): Mutate {
  return keeping((body) => (typeof body[name] === 'string' ? { ...body, [name]: change(body[name]) } : body));
}

export function keepingList(name: string, change: (items: any[]) => unknown): Mutate {
  return keeping((body) => (Array.isArray(body[name]) ? { ...body, [name]: change(body[name]) } : body));
}

/** Changes a module of a new edge, where one is sent. */
export function keepingModule(name: 'mutual_tls' | 'tls_termination', change: (module: Json) => unknown): Mutate {
  return keeping((body) => (isObject(body[name]) ? { ...body, [name]: change(body[name]) } : body));
}

/** Changes what successes show. */
export function showingAs(
  operations: Some,
  change: (json: any, request: ServiceRequest, call: Call) => unknown,
): Mutate {
  return done(operations, (response, request, call) => showing(response, change(jsonOf(response), request, call)));
}

/** A mutant that remembers: each service has a memory of its own. */
export function remembering(make: () => Mutate): Mutate {
  return (service) => make()(service);
}

/** Both, the first one nearer to the client. */
export function both(outer: Mutate, inner: Mutate): Mutate {
  return (service) => outer(inner(service));
}
