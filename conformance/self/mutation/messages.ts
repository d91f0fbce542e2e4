/** Requests, responses and the JSON in them, rewritten. */
import { isObject } from '../../engine/contract/pointers.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';

export { isObject };
export type Json = Record<string, unknown>;

/** Stands for a property or item that is left out. */
export const DROP = Symbol('left out');

/** The JSON of a message; undefined where its body is not JSON. */
export function jsonOf({ body }: { body: Buffer | string }): any {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** The JSON of a request; undefined where a parser and a serialiser would change it, as with a name that occurs twice. */
export function plainJsonOf(request: ServiceRequest): any {
  const json = jsonOf(request);
  return JSON.stringify(json) === request.body.toString() ? json : undefined;
}

export function sending(request: ServiceRequest, json: unknown): ServiceRequest {
  return { ...request, body: Buffer.from(JSON.stringify(json)) };
}

/** The same response with other JSON. */
export function showing(response: ServiceResponse, json: unknown): ServiceResponse {
  return { ...response, body: JSON.stringify(json) };
}

/** @param headers undefined removes one */
export function withHeaders<T extends { headers: Record<string, string> }>(
  message: T,
  headers: Record<string, string | undefined>,
): T {
  const all = Object.entries({ ...message.headers, ...headers }).filter(([, value]) => value !== undefined);
  return { ...message, headers: Object.fromEntries(all) };
}

export function succeeded({ status }: ServiceResponse): boolean {
  return status >= 200 && status < 300;
}

/** A refusal that is right in itself. */
export function problem(status: number, code: string, more: object = {}): ServiceResponse {
  const body = { type: 'about:blank', title: code, status, detail: 'It was refused.', code, request_id: 'm', ...more };
  return { status, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(body) };
}

/** Pairs of the query, decoded. */
export function queryOf({ target }: ServiceRequest): [string, string][] {
  return [...new URLSearchParams(target.split('?').slice(1).join('?'))];
}

export function withQuery(request: ServiceRequest, pairs: readonly (readonly [string, string])[]): ServiceRequest {
  const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();
  return { ...request, target: request.target.split('?', 1)[0]! + (query === '' ? '' : `?${query}`) };
}

/** Sends another request on behalf of the same client. */
export function ask(
  service: Service,
  { headers }: ServiceRequest,
  method: string,
  target: string,
  json?: unknown,
): Promise<ServiceResponse> {
  const { accept: _, 'content-length': __, ...kept } = headers;
  const type = json === undefined ? undefined : (headers['content-type'] ?? 'application/json');
  const body = Buffer.from(json === undefined ? '' : JSON.stringify(json));
  return service(withHeaders({ method, target, headers: kept, body }, { 'content-type': type }));
}

/** A moment: far longer than a request, far shorter than a run. */
export function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 15));
}

export interface Place {
  /** The object or list that has the value. */
  holder: Json | unknown[];
  name: string;
}

/** A copy with the value at each occurrence of the path changed. `*` stands for any item or property. */
export function editAt(
  value: unknown,
  path: readonly string[],
  change: (value: unknown, place: Place) => unknown,
): unknown {
  const [name, ...rest] = path;
  if (name === undefined || typeof value !== 'object' || value === null) return value;
  const holder = value as Json | unknown[];
  const edit = (key: string, inner: unknown): unknown => {
    if (name !== '*' && key !== name) return inner;
    return rest.length === 0 ? change(inner, { holder, name: key }) : editAt(inner, rest, change);
  };
  if (Array.isArray(value)) return value.map((item, index) => edit(String(index), item)).filter((one) => one !== DROP);
  const entries = Object.entries(value).map(([key, inner]) => [key, edit(key, inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== DROP));
}

/** Adds a property at each object of the path that lacks it. */
export function fillAt(value: unknown, path: readonly string[], fill: unknown): unknown {
  const name = path.at(-1)!;
  const add = (holder: unknown) =>
    isObject(holder) && !Object.hasOwn(holder, name) ? { ...holder, [name]: fill } : holder;
  return path.length === 1 ? add(value) : editAt(value, path.slice(0, -1), add);
}
