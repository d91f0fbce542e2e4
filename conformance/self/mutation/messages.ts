/** Requests, responses and the JSON in them, rewritten. */
import { setTimeout } from 'node:timers/promises';
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

const CODES = {
  400: 'malformed_request',
  401: 'unauthorized',
  404: 'not_found',
  406: 'not_acceptable',
  409: 'conflict',
  415: 'unsupported_media_type',
  500: 'internal_error',
};

export type Status = keyof typeof CODES;

/** A refusal that is right in itself. */
export function problem(status: Status, code = CODES[status], more: object = {}): ServiceResponse {
  const body = { type: 'about:blank', title: code, status, detail: 'It was refused.', code, request_id: 'm', ...more };
  return { status, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(body) };
}

export const pathOf = ({ target }: ServiceRequest): string => target.split('?', 1)[0]!;
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Pairs of the query, decoded. */
export function queryOf({ target }: ServiceRequest): [string, string][] {
  return [...new URLSearchParams(target.split('?').slice(1).join('?'))];
}

export function withQuery(request: ServiceRequest, pairs: [string, string][]): ServiceRequest {
  const query = String(new URLSearchParams(pairs));
  return { ...request, target: `${pathOf(request)}${query && '?'}${query}` };
}

/** Sends another request on behalf of the same client. */
export function ask(service: Service, request: ServiceRequest, method: string, target: string, json?: unknown) {
  const { accept: _, 'content-length': __, 'content-type': type = 'application/json', ...headers } = request.headers;
  if (json === undefined) return service({ method, target, headers, body: Buffer.of() });
  return service(sending({ ...request, method, target, headers: { ...headers, 'content-type': type } }, json));
}

/** A moment: far longer than a request, far shorter than a run. */
export const pause = () => setTimeout(15);

export interface Place {
  /** The object or list that has the value. */
  holder: Json | unknown[];
  name: string;
}

type Change = (value: unknown, place: Place) => unknown;

/** A copy with the value at each occurrence of the path changed. `*` stands for any item or property. */
export function editAt(value: unknown, path: readonly string[], change: Change): unknown {
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
