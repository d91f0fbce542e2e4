/** From a valid request to its handler, and from the handler's reply to the answer. */
import type { Request, RequestHandler } from 'express';
import type { Links } from '../domain/links.ts';
import type { Handlers } from '../operations/handler.ts';
import { operationOf } from './request-context.ts';
import type { SendJson } from './send-json.ts';

/**
 * What all handlers have in common. Which call goes to which handler is decided at run time, behind the validator, so
 * that the types of one operation can no longer be told here.
 */
type AnyHandler = (call: {
  path: unknown;
  query: unknown;
  body: unknown;
  links: Links;
}) => Promise<{ status: number; body?: unknown; location?: string }>;

export function dispatch(handlers: Handlers, linksOf: (req: Request) => Links, send: SendJson): RequestHandler {
  return (req, res) => {
    const handler = handlers[operationOf(res).id] as unknown as AnyHandler;
    return handler({ path: req.params, query: req.query, body: req.body, links: linksOf(req) }).then(
      ({ status, body, location }) => {
        if (body === undefined) res.status(status).end();
        else send(res, status, body, location);
      },
    );
  };
}
