/**
 * Registers the operations of the contract with Express: `app.route(path)[method]` for each, and
 * 405 for other methods.
 */
import type { ErrorRequestHandler, Express, RequestHandler, Response } from 'express';
import type { Operation } from '../contract.ts';
import { HttpError } from './problem.ts';

/** Makes the handlers of an operation. */
export type Serve = (operation: Operation) => (RequestHandler | ErrorRequestHandler)[];

/** @param admit lets a request in or refuses it, before methods are checked */
export function routeOperations(
  app: Express,
  operations: readonly Operation[],
  admit: RequestHandler,
  serve: Serve,
): void {
  for (const [path, ofPath] of groupByPath(operations)) {
    const allow = allowedMethods(ofPath).join(', ');
    const route = app.route(routeOf(path));
    // The methods of a path are no secret: the contract shows them to everyone (D29).
    route.options(respondToOptions(allow));
    for (const operation of ofPath) {
      const method = operation.method as 'get' | 'put' | 'post' | 'delete' | 'patch';
      route[method](admit, ...(serve(operation) as RequestHandler[]));
    }
    route.all(admit, refuseMethod(allow));
  }
}

/**
 * In an order in which a fixed segment precedes a parameter: Express takes the first path that
 * matches.
 */
function groupByPath(operations: readonly Operation[]): Map<string, Operation[]> {
  const sorted = operations.toSorted((one, other) => compare(sortKey(one), sortKey(other)));
  const groups = new Map<string, Operation[]>();
  for (const operation of sorted) {
    const group = groups.get(operation.path) ?? [];
    groups.set(operation.path, [...group, operation]);
  }
  return groups;
}

/** The path, with parameters behind all other characters. */
function sortKey({ path }: Operation): string {
  return path.replaceAll(/\{\w+\}/g, '\uffff');
}

function compare(one: string, other: string): number {
  if (one === other) {
    return 0;
  }
  return one < other ? -1 : 1;
}

function allowedMethods(operations: readonly Operation[]): string[] {
  const methods = operations.map(({ method }) => method.toUpperCase());
  // HEAD is GET without a body, which Node omits by itself.
  if (methods.includes('GET')) {
    methods.push('HEAD');
  }
  return [...methods, 'OPTIONS'];
}

/**
 * `/edges/https/{edge_id}` as `/edges/https/:edge_id`; characters with a meaning for Express are
 * escaped.
 */
function routeOf(path: string): string {
  const escaped = path.replaceAll(/[:*?+!()[\]\\]/g, String.raw`\$&`);
  return escaped.replaceAll(/\{(\w+)\}/g, ':$1');
}

function respondToOptions(allow: string): RequestHandler {
  return (_req, res) => sendAllow(res, allow);
}

export function refuseMethod(allow: string): RequestHandler {
  return () => {
    throw methodNotAllowed(allow);
  };
}

function sendAllow(res: Response, allow: string): void {
  res.set('Allow', allow).status(204).end();
}

function methodNotAllowed(allow: string): HttpError {
  return new HttpError('method_not_allowed', `This path supports ${allow}.`, { Allow: allow });
}

const READING = 'GET, HEAD, OPTIONS';

/** For endpoints beside the API: GET and HEAD, a response to OPTIONS, and 405 for other methods. */
export const onlyGet: RequestHandler = (req, res, next) => {
  if (req.method === 'OPTIONS') {
    sendAllow(res, READING);
    return;
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    throw methodNotAllowed(READING);
  }
  next();
};
