/** Responses as they are written. */
import type { ServiceResponse } from '../service.ts';

export interface HttpResponse {
  status: number;
  headers?: Record<string, string>;
  /** The value of the JSON; undefined: a response without content. */
  body?: unknown;
  /** Content that is not JSON, in place of `body`. `headers` has its type. */
  text?: string;
}

/**
 * There is no Content-Length, since a mutant between the service and the wire may change the body
 * and leave the header.
 */
export function write(response: HttpResponse, method: string): ServiceResponse {
  const headers: Record<string, string> = {};
  if (response.body !== undefined) {
    headers['content-type'] = 'application/json; charset=utf-8';
  }
  headers['cache-control'] = 'no-store';
  headers['x-served-by'] = 'independent';
  Object.assign(headers, response.headers);
  return {
    status: response.status,
    headers,
    body: method === 'HEAD' ? '' : contentOf(response),
  };
}

function contentOf({ body, text }: HttpResponse): string {
  if (text !== undefined) {
    return text;
  }
  if (body === undefined) {
    return '';
  }
  return toJson(body);
}

/**
 * JSON in ASCII alone, indented, with a line feed at its end: the same value as the compact form in
 * UTF-8.
 */
function toJson(value: unknown): string {
  const indented = JSON.stringify(value, null, 1);
  return `${indented.replaceAll(/[\u007f-\uffff]/g, escape)}\n`;
}

/** A UTF-16 code unit as an escape of JSON. */
export function escape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
