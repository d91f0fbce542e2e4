/** A call of an operation, and how it is written as a request: its path, query, cookies, headers and content. */
import { isForm, type Operation, type Parameter } from '../contract/operations.ts';

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
  /** Sent as JSON, or as a form where the operation takes that. */
  json?: unknown;
  /** Sent as it is, in place of `json`; the Content-Type is JSON unless `headers` says otherwise. */
  body?: string | Buffer;
  headers?: Record<string, string>;
}

export function requestOf(operation: Operation, input: CallInput): Sending {
  const target = requestTargetOf(operation, input);
  return { method: operation.method, target, ...contentOf(input, operation.requestBody?.mediaType) };
}

/** Path and query of a call. */
export function requestTargetOf(operation: Operation, input: CallInput): string {
  const { path = {}, encode = encodeURIComponent } = input;
  const filled = operation.path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => encode(path[name] ?? ''));
  const pairs = queryOf(input).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

export function queryOf({ query = {} }: CallInput): [string, string][] {
  return Array.isArray(query) ? query : Object.entries(query);
}

function contentOf({ json, body, headers }: CallInput, type = 'application/json'): Pick<Sending, 'headers' | 'body'> {
  const content = body ?? (json === undefined ? undefined : isForm(type) ? formOf(json) : JSON.stringify(json));
  if (content === undefined) return headers === undefined ? {} : { headers };
  return { body: content, headers: { 'content-type': type, ...headers } };
}

/** As OpenAPI writes forms by default: a list repeats its name, an object within is JSON. */
function formOf(value: unknown): string {
  const form = new URLSearchParams();
  for (const [name, one] of Object.entries((value ?? {}) as object)) {
    for (const item of Array.isArray(one) ? (one as unknown[]) : [one])
      form.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item));
  }
  return form.toString();
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

/** The query without the parameter. `deepObject` writes a name of its own for each property. */
function othersOf(call: CallInput, { name, style }: Parameter): [string, string][] {
  const isOwn = (written: string) => written === name || (style === 'deepObject' && written.startsWith(`${name}[`));
  return queryOf(call).filter(([written]) => !isOwn(written));
}

const SEPARATORS: Record<string, string> = { spaceDelimited: ' ', pipeDelimited: '|' };

/** Names and values of a parameter, by its `style` and `explode`. */
function pairsOf({ name, style, explode, in: place }: Parameter, value: unknown): [string, string][] | undefined {
  if (isScalar(value)) return [[name, String(value)]];
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value).map(([key, one]): [string, string] => [key, String(one)]);
  // An empty list is not a parameter: a text between separators would be one.
  if (!Object.values(value).every(isScalar) || entries.length === 0) return undefined;
  const isSeparate = explode && (place === 'query' || place === 'cookie');
  if (Array.isArray(value)) {
    const separator = SEPARATORS[style] ?? ',';
    const texts = entries.map(([, text]) => text);
    if (isSeparate) return texts.map((text) => [name, text]);
    return texts.some((text) => text.includes(separator) || text === '') ? undefined : [[name, texts.join(separator)]];
  }
  if (style === 'deepObject') return entries.map(([key, text]) => [`${name}[${key}]`, text]);
  if (isSeparate) return entries;
  if (entries.flat().some((text) => /[,=]/.test(text) || text === '')) return undefined;
  return [[name, entries.map((pair) => pair.join(explode ? '=' : ',')).join(',')]];
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
