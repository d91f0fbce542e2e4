/** A call of an operation, and how it is written as a request: its path, query, cookies, headers and content. */
import type { Operation, Parameter } from '../contract/operations.ts';
import { contentFor } from './body.ts';
import { pairsOf, segmentOf } from './style.ts';

export interface Sending {
  method: string;
  /** Path and query as they go out, behind the base URL; or an absolute URL on the same host. */
  target: string;
  /** Names in lower case. An empty value takes away what is sent by default. */
  headers?: Record<string, string>;
  body?: string | Buffer;
}

export interface CallInput {
  /** Path parameters, undecoded. */
  path?: Record<string, string>;
  /** How path parameters are encoded; by default as little as RFC 3986 asks for. */
  encode?: (value: string) => string;
  /** Query parameters, undecoded. */
  query?: Record<string, string> | [string, string][];
  /** Sent as JSON, or as what the operation takes in its place, such as a form. */
  json?: unknown;
  /** Sent as it is, in place of `json`; the Content-Type is JSON unless `headers` says otherwise. */
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export function requestOf(operation: Operation, input: CallInput): Sending {
  const target = requestTargetOf(operation, input);
  return { method: operation.method, target, ...contentOf(input, operation.requestBody ?? JSON_BODY) };
}

/** Path and query of a call. */
export function requestTargetOf(operation: Operation, input: CallInput): string {
  const { path = {}, encode = encodeURIComponent } = input;
  const filled = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    const encoded = encode(path[name] ?? '');
    return parameter ? segmentOf(parameter, encoded) : encoded;
  });
  const pairs = queryOf(input).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

export function queryOf({ query = {} }: CallInput): [string, string][] {
  return Array.isArray(query) ? query : Object.entries(query);
}

const JSON_BODY = { mediaType: 'application/json', fields: {} };

function contentOf({ json, body, headers }: CallInput, form: typeof JSON_BODY): Pick<Sending, 'headers' | 'body'> {
  if (body === undefined && json === undefined) return headers === undefined ? {} : { headers };
  const [type, content] = body === undefined ? contentFor(json, form) : [form.mediaType, body];
  return { body: content, headers: { 'content-type': type, ...headers } };
}

/** A header with these cookies, each `name=value`, in place of those that have their names. */
export function withCookies(header: string | undefined, own: readonly string[]): string {
  const names = new Set(own.map(nameOf));
  return [...cookiesOf(header).filter((cookie) => !names.has(nameOf(cookie))), ...own].join('; ');
}

export function cookiesOf(header = ''): string[] {
  return header.split('; ').filter((cookie) => cookie !== '');
}

function nameOf(cookie: string): string {
  return cookie.split('=', 1)[0]!;
}

/** The call with this parameter. Undefined for a value that the style cannot write, such as a list within a list. */
export function withParameter(call: CallInput, parameter: Parameter, value: unknown): CallInput | undefined {
  const pairs = pairsOf(parameter, value);
  if (pairs === undefined) return undefined;
  const text = pairs[0]?.[1] ?? '';
  const { name, in: place } = parameter;
  if (place === 'path') return { ...call, path: { ...call.path, [name]: text } };
  if (place === 'query') return { ...call, query: [...othersOf(call, parameter), ...pairs] };
  if (place === 'header') return { ...call, headers: { ...call.headers, [name.toLowerCase()]: text } };
  const own = pairs.map((pair) => pair.join('='));
  return { ...call, headers: { ...call.headers, cookie: withCookies(call.headers?.['cookie'], own) } };
}

/** The call without the parameter. */
export function withoutParameter(call: CallInput, parameter: Parameter): CallInput {
  if (parameter.in === 'query') return { ...call, query: othersOf(call, parameter) };
  const { [parameter.name.toLowerCase()]: _, ...headers } = call.headers ?? {};
  if (parameter.in === 'header') return { ...call, headers };
  const others = cookiesOf(call.headers?.['cookie']).filter((cookie) => nameOf(cookie) !== parameter.name);
  return { ...call, headers: { ...call.headers, cookie: others.join('; ') } };
}

/** The query without the parameter. An object may be written with a name of its own for each property. */
function othersOf(call: CallInput, { name, style, members }: Parameter): [string, string][] {
  const isOwn = (written: string) =>
    written === name || members.includes(written) || (style === 'deepObject' && written.startsWith(`${name}[`));
  return queryOf(call).filter(([written]) => !isOwn(written));
}
