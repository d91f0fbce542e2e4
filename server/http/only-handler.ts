/**
 * Has an application answer by one handler, past Express's router: where there is a single layer, there is nothing to find.
 * Requests and responses stay those of Express, and whatever is written for it can be a step of the handler. The server has
 * to create them by `expressClasses`.
 */
import type { ErrorRequestHandler, Express, Request, RequestHandler, Response } from 'express';

/**
 * @param handler passes on what goes wrong, as `inTurn` does, and throws nothing
 * @param fail answers what is passed on
 */
export function answerBy(app: Express, handler: RequestHandler, fail: ErrorRequestHandler): void {
  const handle = (req: Request, res: Response): void => {
    // What Express's own way prepares, and others rely on.
    req.res = res;
    res.req = req;
    req.originalUrl = req.url;
    req.baseUrl = '';
    const end = (error: unknown): void => {
      try {
        fail(error, req, res, end);
      } catch {
        // Nothing more can be said.
        res.destroy();
      }
    };
    handler(req, res, end);
  };
  Object.assign(app, { handle });
}
