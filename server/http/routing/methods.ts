/** Responses to methods: what OPTIONS says, and 405. */
import type { RequestHandler } from 'express';
import { HttpError } from '../response/problem.ts';

/** The value of `Allow`. HEAD is GET without a body, which Node leaves out by itself. */
export function allowedMethods(methods: readonly string[]): string {
  const implied = methods.includes('GET') ? ['HEAD'] : [];
  return [...methods, ...implied, 'OPTIONS'].join(', ');
}

export function answerOptions(allow: string): RequestHandler {
  return (_req, res) => {
    res.set('Allow', allow).status(204).end();
  };
}

export function refuseMethod(allow: string): RequestHandler {
  return () => {
    throw new HttpError('method_not_allowed', `This path supports ${allow}.`, { Allow: allow });
  };
}

const ALLOW = allowedMethods(['GET']);

/** For what stands beside the API: GET and HEAD, a response to OPTIONS, and 405 for the rest. */
export const onlyGet: RequestHandler = (req, res, next) => {
  if (req.method === 'GET' || req.method === 'HEAD') next();
  else (req.method === 'OPTIONS' ? answerOptions : refuseMethod)(ALLOW)(req, res, next);
};
