/** Reads and changes HTTP messages: their paths, queries, headers and JSON. */
import { STATUS_CODES } from 'node:http';
import { stringifyJson } from '../engine/contract/json-numbers.ts';
import { isObject } from '../engine/contract/pointers.ts';
import { parse } from '../engine/http/response.ts';
import type { Service, ServiceRequest, ServiceResponse } from './service.ts';

export type Json = Record<string, unknown>;

/** A name and a value of a query, decoded. */
export type QueryPair = [name: string, value: string];

/** The JSON of a message; undefined if its body is not JSON. */
export const jsonOf = ({ body }: { body: Buffer | string }): any => parse(body.toString());

/**
 * The JSON of a request; undefined if a parser and a serializer change its text, for example
 * because a name occurs twice.
 */
export function plainJsonOf(request: ServiceRequest): any {
  const text = request.body.toString();
  if (VERY_DEEP.test(text)) {
    return undefined;
  }
  const json = jsonOf(request);
  return stringifyJson(json) === text ? json : undefined;
}

/** JSON of which the serializer runs out of stack. */
const VERY_DEEP = /(?:\[|\{"a":){1000}/;

/** The members of a JSON object; none for any other value. */
export const membersOf = (json: unknown): Json => (isObject(json) ? json : {});

/** The request with another body. */
export function withJson(request: ServiceRequest, json: unknown): ServiceRequest {
  return { ...request, body: Buffer.from(stringifyJson(json)) };
}

/** The message with these header fields set. @param fields undefined removes a field */
export function withHeaders<T extends Pick<ServiceRequest, 'headers'>>(
  message: T,
  fields: NodeJS.Dict<string>,
): T {
  const all = Object.entries({ ...message.headers, ...fields });
  const defined = all.filter(([, value]) => value !== undefined);
  return { ...message, headers: Object.fromEntries(defined) };
}

/** The path as sent, undecoded. */
export function pathOf({ target }: ServiceRequest): string {
  const [path = ''] = target.split('?', 1);
  return path;
}

/** A path without its last segment. */
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

export function queryOf({ target }: ServiceRequest): QueryPair[] {
  const [, ...parts] = target.split('?');
  return [...new URLSearchParams(parts.join('?'))];
}

export function withQuery(request: ServiceRequest, pairs: QueryPair[]): ServiceRequest {
  const path = pathOf(request);
  const query = String(new URLSearchParams(pairs));
  return { ...request, target: query === '' ? path : `${path}?${query}` };
}

export const succeeded = ({ status }: ServiceResponse): boolean => status >= 200 && status < 300;

/** Codes that are not the name of their status. */
const CODES: Record<number, string> = { 400: 'malformed_request', 500: 'internal_error' };

/** A problem document that is correct for its status. @param more other members of the document */
export function problem(status: number, more: object = {}): ServiceResponse {
  const name = STATUS_CODES[status] ?? '';
  const code = CODES[status] ?? name.toLowerCase().replaceAll(' ', '_');
  const document = {
    type: 'about:blank',
    title: code,
    status,
    detail: 'It was refused.',
    code,
    request_id: 'm',
    ...more,
  };
  return {
    status,
    headers: { 'content-type': 'application/problem+json' },
    body: JSON.stringify(document),
  };
}

interface FollowUp {
  method: string;
  target: string;
  /** Undefined: no body. */
  json?: unknown;
}

/** Sends another request on behalf of the client that sent `request`, with the same credentials. */
export function sendAlso(
  service: Service,
  request: ServiceRequest,
  { method, target, json }: FollowUp,
): Promise<ServiceResponse> {
  const plain = withHeaders(request, {
    accept: undefined,
    'content-length': undefined,
    'content-type': undefined,
  });
  if (json === undefined) {
    return service({ ...plain, method, target, body: Buffer.of() });
  }
  const type = request.headers['content-type'] ?? 'application/json';
  const typed = withHeaders(plain, { 'content-type': type });
  return service(withJson({ ...typed, method, target }, json));
}
