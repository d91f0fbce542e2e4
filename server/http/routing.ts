/** Registers the operations of the contract with Express: `app.route(path)[method]` for each, and 405 for other methods. */
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import type { Operation } from '../contract.ts';
import { HttpError } from './problem.ts';

type Serve = (operation: Operation) => (RequestHandler | ErrorRequestHandler)[];

/** @param admit lets a request in or refuses it, before methods are checked @param serve makes handlers */
export function routeOperations(
  app: Express,
  operations: readonly Operation[],
  admit: RequestHandler,
  serve: Serve,
) {
  for (const [path, group] of groupByPath(operations)) {
    const methods = group.map(({ method }) => method.toUpperCase());
    // HEAD is GET without a body, which Node omits by itself.
    const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
    // `/edges/https/{edge_id}` as `/edges/https/:edge_id`; characters with a meaning for Express are escaped.
    const escaped = path.replaceAll(/[:*?+!()[\]\\]/g, String.raw`\$&`);
    const route = app.route(escaped.replaceAll(/\{(\w+)\}/g, ':$1'));
    // The methods of a path are no secret: the contract shows them to everyone (D29).
    route.options(answerOptions(allow));
    for (const operation of group) {
      const method = operation.method as 'get' | 'put' | 'post' | 'delete' | 'patch';
      route[method](admit, ...(serve(operation) as RequestHandler[]));
    }
    route.all(admit, refuseMethod(allow));
  }
}

/** In an order in which a fixed segment precedes a parameter: Express takes the first path that matches. */
function groupByPath(operations: readonly Operation[]): [path: string, operations: Operation[]][] {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    groups.set(operation.path, [...(groups.get(operation.path) ?? []), operation]);
  }
  const key = (path: string) => path.replaceAll(/\{\w+\}/g, '\uffff');
  return [...groups].sort(([one], [other]) => (key(one) < key(other) ? -1 : 1));
}

function answerOptions(allow: string): RequestHandler {
  return (_req, res) => void res.set('Allow', allow).status(204).end();
}

export function refuseMethod(allow: string): RequestHandler {
  return () => {
    throw new HttpError('method_not_allowed', `This path supports ${allow}.`, { Allow: allow });
  };
}

/** For endpoints beside the API: GET and HEAD, a response to OPTIONS, and 405 for other methods. */
export const onlyGet: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') {
    next();
  } else {
    (req.method === 'OPTIONS' ? answerOptions : refuseMethod)('GET, HEAD, OPTIONS')(req, res, next);
  }
};
