/**
 * Finds the operation of a request from the paths of the contract, and answers what needs none: unknown paths, methods
 * that a path does not have, and OPTIONS. HEAD is GET without a body, which Node leaves out by itself.
 */
import { type RequestHandler, Router } from 'express';
import type { Operation } from '../contract.ts';
import { Refusal } from '../domain/refusal.ts';
import { HttpRefusal } from './problem.ts';
import { setOperation } from './request-context.ts';

/** @param perform run in order for a request that calls an operation */
export function routeOperations(operations: Operation[], perform: RequestHandler[]): Router {
  const router = Router({ strict: true, caseSensitive: true });
  for (const [path, byMethod] of groupByPath(operations)) {
    router.route(path.replace(/\{(\w+)\}/g, ':$1')).all(pick(byMethod), ...perform);
  }
  router.use(() => {
    throw new Refusal('not_found', 'There is no such path.');
  });
  return router;
}

function groupByPath(operations: Operation[]): Map<string, Map<string, Operation>> {
  const paths = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const byMethod = paths.get(operation.path) ?? new Map<string, Operation>();
    byMethod.set(operation.method.toUpperCase(), operation);
    paths.set(operation.path, byMethod);
  }
  return paths;
}

function pick(byMethod: Map<string, Operation>): RequestHandler {
  const allow = allowedMethods([...byMethod.keys()]);
  return (req, res, next) => {
    if (req.method === 'OPTIONS') {
      res.set('Allow', allow).status(204).end();
      return;
    }
    if (req.method === 'HEAD') req.method = 'GET';
    const operation = byMethod.get(req.method);
    if (!operation) {
      throw new HttpRefusal('method_not_allowed', `This path supports ${allow}.`, { Allow: allow });
    }
    setOperation(res, operation);
    next();
  };
}

/** The value of `Allow`. */
export function allowedMethods(methods: string[]): string {
  const implied = methods.includes('GET') ? ['HEAD'] : [];
  return [...methods, ...implied, 'OPTIONS'].join(', ');
}
