/** Requests, responses and the JSON in them, rewritten. */
import { STATUS_CODES } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { type Shape, strictest } from '../../engine/contract/shape.ts';
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

export const succeeded = ({ status }: ServiceResponse): boolean => status >= 200 && status < 300;

/** Where the code is not the name of the status. */
const CODES: Record<number, string> = { 400: 'malformed_request', 500: 'internal_error' };

/** A refusal that is right in itself. */
export function problem(status: number, more: object = {}): ServiceResponse {
  const code = CODES[status] ?? STATUS_CODES[status]!.toLowerCase().replaceAll(' ', '_');
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

/** Another value of the same kind; null, lists and objects stay. */
export function altered(value: unknown, shape: Shape): unknown {
  if (value === null) return null;
  const choice = shape.choices?.find((one) => one !== value && one !== null);
  if (choice !== undefined) return choice;
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value < (strictest(shape, 'maximum') ?? Infinity) ? value + 1 : value - 1;
  if (typeof value !== 'string') return value;
  // Five minutes earlier.
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return new Date(Date.parse(value) - 300_000).toISOString();
  if (/^https?:/.test(value)) return value.replace(/\/\/[^/]+/, '//other.example.com');
  return /^\/.*\d$/.test(value) ? value.replace(/\d+$/, (index) => String(Number(index) + 1)) : `${value}x`;
}

/** A copy with the value at each occurrence of the path changed. `*` stands for any item or property. */
export function editAt(value: unknown, path: readonly string[], change: (value: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return change(value);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([key, inner]) => [key, name === '*' || key === name ? editAt(inner, rest, change) : inner] as const)
    .filter(([, inner]) => inner !== DROP);
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Adds a property at each object of the path that lacks it. */
export function fillAt(value: unknown, path: readonly string[], fill: unknown): unknown {
  const name = path.at(-1)!;
  const add = (holder: unknown) =>
    isObject(holder) && !Object.hasOwn(holder, name) ? { ...holder, [name]: fill } : holder;
  return path.length === 1 ? add(value) : editAt(value, path.slice(0, -1), add);
}

/** A change of texts alone, and one of lists alone. */
export const onText = (change: (text: string) => string) => (value: unknown) =>
  typeof value === 'string' ? change(value) : value;
export const onList = (change: (items: unknown[]) => unknown[]) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;
