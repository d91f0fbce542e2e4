/** Middlewares as one: Express would look for the next one among all that it has, and forget the parameters of the path. */
import type { RequestHandler } from 'express';

export function inTurn(steps: readonly RequestHandler[]): RequestHandler {
  return (req, res, next) => {
    let index = 0;
    const run = (error?: unknown): void => {
      const step = error === undefined ? steps[index++] : undefined;
      if (step === undefined) {
        next(error);
        return;
      }
      try {
        const done: unknown = step(req, res, run);
        if (done instanceof Promise) done.catch(next);
      } catch (thrown) {
        next(thrown);
      }
    };
    run();
  };
}
