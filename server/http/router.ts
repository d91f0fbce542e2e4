/**
 * Finds the operation of a request from the paths of the contract, and answers what needs none: methods that a path does
 * not have, and OPTIONS. HEAD is GET without a body, which Node leaves out by itself.
 */
import type { Request, RequestHandler, Response } from 'express';
import type { Operation } from '../contract.ts';
import { Refusal } from '../domain/refusal.ts';
import { inTurn } from './in-turn.ts';
import { PathTree } from './path-tree.ts';
import { HttpRefusal } from './problem.ts';
import { setOperation } from './request-context.ts';

interface PathItem {
  byMethod: Map<string, Operation>;
  /** The value of `Allow`. */
  allow: string;
}

/**
 * Requests to other paths are passed on.
 * @param admit lets a request in or refuses it, at once, before anything is said of methods
 * @param steps run in order for a request that calls an operation
 */
export function routeOperations(
  operations: Operation[],
  admit: RequestHandler,
  steps: RequestHandler[],
): RequestHandler {
  const paths = new PathTree<PathItem>();
  for (const [path, item] of groupByPath(operations)) paths.add(path, item);
  const perform = inTurn(steps);
  return (req, res, next) => {
    const found = paths.find(req.path);
    if (found === undefined) {
      next();
      return;
    }
    req.params = found.params;
    void admit(req, res, (error?: unknown) => {
      if (error !== undefined) next(error);
      else if (pick(found.value, req, res)) perform(req, res, next);
    });
  };
}

export const noSuchPath: RequestHandler = () => {
  throw new Refusal('not_found', 'There is no such path.');
};

function groupByPath(operations: Operation[]): Map<string, PathItem> {
  const paths = new Map<string, PathItem>();
  for (const operation of operations) {
    const item = paths.get(operation.path) ?? { byMethod: new Map<string, Operation>(), allow: '' };
    item.byMethod.set(operation.method.toUpperCase(), operation);
    item.allow = allowedMethods([...item.byMethod.keys()]);
    paths.set(operation.path, item);
  }
  return paths;
}

/** False where the request is answered. */
function pick({ byMethod, allow }: PathItem, req: Request, res: Response): boolean {
  if (req.method === 'OPTIONS') {
    res.set('Allow', allow).status(204).end();
    return false;
  }
  if (req.method === 'HEAD') req.method = 'GET';
  const operation = byMethod.get(req.method);
  if (!operation) {
    throw new HttpRefusal('method_not_allowed', `This path supports ${allow}.`, { Allow: allow });
  }
  setOperation(res, operation);
  return true;
}

/** The value of `Allow`. */
export function allowedMethods(methods: string[]): string {
  const implied = methods.includes('GET') ? ['HEAD'] : [];
  return [...methods, ...implied, 'OPTIONS'].join(', ');
}
