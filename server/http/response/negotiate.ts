import type { Request } from 'express';
import type { Operation } from '../../contract.ts';
import { ApiError } from '../../domain/api-error.ts';

/**
 * A response without a body needs none.
 * @throws ApiError `not_acceptable` when the Accept header rules out the media type of the response
 */
export function negotiate({ produces }: Operation, req: Request): void {
  const { accept } = req.headers;
  // What most clients send needs no reading.
  if (accept === undefined || accept === '*/*' || accept === produces || produces === undefined) return;
  if (!req.accepts(produces)) throw new ApiError('not_acceptable', `The Accept header excludes ${produces}.`);
}
