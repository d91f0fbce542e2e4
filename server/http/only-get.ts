/** For what stands beside the API: GET and HEAD, an answer to OPTIONS, and 405 for the rest. */
import type { RequestHandler } from 'express';
import { HttpRefusal } from './problem.ts';
import { allowedMethods } from './router.ts';

const ALLOW = allowedMethods(['GET']);

export const onlyGet: RequestHandler = (req, res, next) => {
  if (req.method === 'OPTIONS') {
    res.set('Allow', ALLOW).status(204).end();
    return;
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    throw new HttpRefusal('method_not_allowed', `This path supports ${ALLOW}.`, { Allow: ALLOW });
  }
  next();
};
