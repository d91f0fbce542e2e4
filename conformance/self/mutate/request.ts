/** Reads and rewrites requests. */
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';

export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Undefined where the body is no JSON in UTF-8. */
export function jsonIn({ body }: ServiceRequest): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return undefined;
  }
}

/**
 * The same, where the body is nothing but JSON as serialisers write it: what is parsed and written again must not hide
 * a name that stands twice.
 */
export function plainJsonIn(request: ServiceRequest): unknown {
  const json = jsonIn(request);
  return JSON.stringify(json) === request.body.toString() ? json : undefined;
}

export function sending(request: ServiceRequest, json: unknown): ServiceRequest {
  return { ...request, body: Buffer.from(JSON.stringify(json)) };
}

export function withHeaders(request: ServiceRequest, headers: Record<string, string>): ServiceRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

export function withoutHeader(request: ServiceRequest, name: string): ServiceRequest {
  const { [name]: _, ...headers } = request.headers;
  return { ...request, headers };
}

/** Pairs of the query, decoded; what cannot be decoded stands as it is. */
export function queryOf({ target }: ServiceRequest): [string, string][] {
  const at = target.indexOf('?');
  if (at < 0 || at === target.length - 1) return [];
  return target
    .slice(at + 1)
    .split('&')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [decoded(name), decoded(value.join('='))];
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function withQuery(request: ServiceRequest, pairs: readonly (readonly [string, string])[]): ServiceRequest {
  const [path = ''] = request.target.split('?', 1);
  const query = pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  return { ...request, target: query === '' ? path : `${path}?${query}` };
}

/** The value of a parameter, changed; the others stay. */
export function withParameter(
  request: ServiceRequest,
  name: string,
  change: (value: string) => string | undefined,
): ServiceRequest {
  const pairs = queryOf(request).flatMap(([one, value]): [string, string][] => {
    const changed = one === name ? change(value) : value;
    return changed === undefined ? [] : [[one, changed]];
  });
  return withQuery(request, pairs);
}

/** Sends another request on behalf of the same client. */
export function ask(
  service: Service,
  { headers }: ServiceRequest,
  method: string,
  target: string,
  json?: unknown,
): Promise<ServiceResponse> {
  const { host = '', authorization } = headers;
  return service({
    method,
    target,
    headers: {
      host,
      ...(authorization === undefined ? {} : { authorization }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: Buffer.from(json === undefined ? '' : JSON.stringify(json)),
  });
}

export function sourcesPath(subscription: string, type?: string): string {
  const list = `/event_subscriptions/${encodeURIComponent(subscription)}/sources`;
  return type === undefined ? list : `${list}/${encodeURIComponent(type)}`;
}
