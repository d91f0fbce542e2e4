/**
 * The media types of requests. Parameters matter only if they contradict (RFC 8259 defines none).
 */
import type { Request } from 'express';
import type { Operation } from '../../contract.ts';
import { ApiError } from '../../domain/api-error.ts';

export const JSON_TYPE = 'application/json';

export function isJson(contentType = ''): boolean {
  const { type, parameters } = readMediaType(contentType);
  return type.toLowerCase() === JSON_TYPE && !parameters.some(isOtherCharset);
}

/**
 * A response without a body needs no type.
 *
 * @throws ApiError `not_acceptable` if the Accept header excludes JSON
 */
export function negotiate({ hasContent }: Operation, req: Request): void {
  const { accept } = req.headers;
  if (!hasContent || accept === undefined) {
    return;
  }
  // Express refuses a type with any parameter that the response does not have.
  const ranges = accept.match(MEMBERS) ?? [];
  req.headers.accept = ranges.map(withoutParameters).join();
  if (!req.accepts(JSON_TYPE)) {
    throw new ApiError('not_acceptable', `The Accept header excludes ${JSON_TYPE}.`);
  }
}

/** Members of a list or parts of one: commas and semicolons in quotes end none (RFC 9110, 5.6). */
const MEMBERS = /(?:[^,"]|"(?:\\.|[^"\\])*"?)+/g;
const PARTS = /(?:[^;"]|"(?:\\.|[^"\\])*"?)+/g;

/** Keeps the weight, and a charset that is not that of the response. */
function withoutParameters(range: string): string {
  const { type, parameters } = readMediaType(range);
  const kept = parameters.filter((one) => /^q=/i.test(one) || isOtherCharset(one));
  return [type, ...kept].join(';');
}

interface MediaType {
  type: string;
  /** Such as `charset=utf-8`. */
  parameters: string[];
}

function readMediaType(text: string): MediaType {
  const parts = text.match(PARTS) ?? [];
  const [type = '', ...parameters] = parts.map((part) => part.trim());
  return { type, parameters };
}

const CHARSET = /^charset=/i;
const UTF_8 = /^charset="?utf-8"?$/i;

function isOtherCharset(parameter: string): boolean {
  return CHARSET.test(parameter) && !UTF_8.test(parameter);
}
