import type { RequestHandler } from 'express';
import { Refusal } from '../domain/refusal.ts';
import { operationOf } from './request-context.ts';

/** 406 when the Accept header rules out every media type of the answer. An answer without a body needs none. */
export const negotiate: RequestHandler = (req, res, next) => {
  const { produces } = operationOf(res);
  const { accept } = req.headers;
  // What clients send unless told otherwise needs no reading.
  if (accept !== undefined && accept !== '*/*' && produces.length > 0 && !req.accepts(produces)) {
    throw new Refusal('not_acceptable', `The Accept header rules out ${produces.join(', ')}.`);
  }
  next();
};
