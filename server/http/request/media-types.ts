/** The media types of requests. Parameters matter only where they contradict (RFC 8259 defines none). */
import type { Request } from 'express';
import type { Operation } from '../../contract.ts';
import { ApiError } from '../../domain/api-error.ts';

export const JSON_TYPE = 'application/json';

export function isJson(contentType = ''): boolean {
  if (contentType === JSON_TYPE) {
    return true;
  }
  const [type, ...parameters] = partsOf(contentType);
  return type!.toLowerCase() === JSON_TYPE && !parameters.some(isOtherCharset);
}

/** A response without a body needs none. @throws ApiError `not_acceptable` when the Accept header excludes JSON */
export function negotiate({ hasContent }: Operation, req: Request): void {
  const { accept } = req.headers;
  if (!hasContent || accept === undefined) {
    return;
  }
  if (accept.includes(';')) {
    req.headers.accept = accept.split(',').map(withoutParameters).join();
  }
  if (!req.accepts(JSON_TYPE)) {
    throw new ApiError('not_acceptable', `The Accept header excludes ${JSON_TYPE}.`);
  }
}

/** Negotiation refuses a type with any parameter that the response does not have. */
function withoutParameters(range: string): string {
  const [type, ...parameters] = partsOf(range);
  return [type, ...parameters.filter((one) => /^q=/i.test(one) || isOtherCharset(one))].join(';');
}

const partsOf = (mediaType: string): string[] => mediaType.split(';').map((part) => part.trim());

function isOtherCharset(parameter: string): boolean {
  return /^charset=/i.test(parameter) && !/^charset="?utf-8"?$/i.test(parameter);
}
