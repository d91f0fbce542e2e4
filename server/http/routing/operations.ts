/** Registers the operations of the contract with Express: `app.route(path)[method]` for each, and 405 for other methods. */
import { type Express, type RequestHandler } from 'express';
import type { Operation } from '../../contract.ts';
import { allowedMethods, answerOptions, refuseMethod } from './methods.ts';

/**
 * @param admit lets a request in or refuses it, before anything is said of methods
 * @param serve makes the handler of an operation
 */
export function routeOperations(
  app: Express,
  operations: readonly Operation[],
  admit: RequestHandler,
  serve: (operation: Operation) => RequestHandler,
): void {
  for (const [path, group] of groupByPath(operations)) {
    const allow = allowedMethods(group.map(({ method }) => method.toUpperCase()));
    const route = app.route(expressPath(path));
    // What a path supports is no secret: the contract says it to everyone (D29).
    route.options(answerOptions(allow));
    for (const operation of group) {
      const method = operation.method as 'get' | 'put' | 'post' | 'delete' | 'patch';
      if (!operation.public) route[method](admit);
      route[method](serve(operation));
    }
    route.all(admit, refuseMethod(allow));
  }
}

/** In the order of the contract; but Express takes the first path that fits, and a fixed segment goes before an open one. */
function groupByPath(operations: readonly Operation[]): [path: string, operations: Operation[]][] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) groups.set(operation.path, [...(groups.get(operation.path) ?? []), operation]);
  return [...groups].sort(([one], [other]) => {
    const key = (path: string) => path.replaceAll(/\{\w+\}/g, '\uffff');
    return key(one) < key(other) ? -1 : 1;
  });
}

/** `/edges/https/{id}` as `/edges/https/:id`; what means something to Express is written as itself. */
function expressPath(path: string): string {
  return path
    .split('/')
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1'))
    .map((segment) => (segment.startsWith(':') ? segment : segment.replaceAll(/[:*?+!(){}[\]\\]/g, String.raw`\$&`)))
    .join('/');
}
