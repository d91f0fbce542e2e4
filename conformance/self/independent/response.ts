/** From what an operation answers to bytes. */
import type { ServiceResponse } from '../service.ts';

export interface HttpResponse {
  status: number;
  headers?: Record<string, string>;
  /** Left out: a response without content. */
  body?: unknown;
  /** In place of `body`: content that is no JSON, with its type in `headers`. */
  text?: string;
}

const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** JSON in ASCII alone, indented, with a line feed at its end: the same value as the compact form in UTF-8. */
function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 1).replaceAll(/[\u007f-\uffff]/g, escape)}\n`;
}

/**
 * There is no Content-Length: whoever puts faults between the service and the wire may change a body without having to
 * repair the header.
 */
export function write({ status, headers, body, text }: HttpResponse, method: string): ServiceResponse {
  const all = {
    ...(body !== undefined && { 'content-type': 'application/json; charset=utf-8' }),
    'cache-control': 'no-store',
    'x-served-by': 'independent',
    ...headers,
  };
  const content = text ?? (body === undefined ? '' : toJson(body));
  return { status, headers: all, body: method === 'HEAD' ? '' : content };
}
