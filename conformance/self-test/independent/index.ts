/**
 * A second implementation of the contract, written by hand: no validator, no framework, and other choices than the
 * reference server's wherever the contract leaves one. A suite that fails it asks for more than the contract promises.
 */
import type { Service, ServiceRequest } from '../service.ts';
import { isEventType, isId } from './bodies.ts';
import { edgeOperations } from './edges.ts';
import { attempt, parseTarget, problem, Refusal, write } from './http.ts';
import { handle, type Operation, type Order, type PageOptions, type Params } from './operation.ts';
import { sourceOperations } from './sources.ts';

export interface IndependentServiceOptions extends PageOptions {
  /** Without it, the service runs open. */
  token?: string | undefined;
  /** Beside `token`; it permits no change. */
  readOnlyToken?: string | undefined;
  /** `core`: only the operations of the source document, as if there were no others. Default `extended`. */
  level?: 'core' | 'extended';
  /** Every `uri` begins with it; by default, with the address in the Host header. */
  publicUrl?: string | undefined;
  /** The next id of an edge or route; by default random ones of 12 to 64 characters. */
  newId?: () => string;
  /** Default `resource first`. */
  order?: Order;
}

/** In memory: two services share nothing. */
export function createIndependentService(options: IndependentServiceOptions = {}): Service {
  const { level = 'extended', newId } = options;
  const all = [...edgeOperations(newId, options), ...sourceOperations(options)];
  const operations = level === 'core' ? all.filter(isCore) : all;
  return async (request) => {
    try {
      return write(respond(operations, request, options), request.method);
    } catch (error) {
      const own = new Refusal('internal_error', 'This should not have happened.');
      return write(problem(error instanceof Refusal ? error : own), request.method);
    }
  };
}

function isCore({ method, path }: Operation): boolean {
  if (path.startsWith('/event_subscriptions/')) {
    return true;
  }
  return (
    (method === 'POST' && path === '/edges/https') ||
    (method === 'GET' && path === '/edges/https/{edge_id}')
  );
}

function respond(
  operations: readonly Operation[],
  request: ServiceRequest,
  options: IndependentServiceOptions,
) {
  const { method, target, headers } = request;
  const { order = 'resource first' } = options;
  const mayWrite = () =>
    method === 'OPTIONS' ||
    isOpen(operations, request) ||
    authorize(headers['authorization'], options);
  if (order !== 'credentials last') {
    mayWrite();
  }
  const parsed = parseTarget(target);
  const base = baseUrl(options, headers['host']);
  const { found, params } = route(operations, parsed.segments);
  const allow = ['OPTIONS', ...found.keys(), ...(found.has('GET') ? ['HEAD'] : [])].join(',');
  if (method === 'OPTIONS') {
    return { status: 204, headers: { allow } };
  }
  const operation = found.get(method === 'HEAD' ? 'GET' : method);
  if (operation === undefined) {
    throw new Refusal('method_not_allowed', 'Allow lists what works here.', { headers: { allow } });
  }
  // Asked once it is clear what a request wants: where nothing is, there is nothing to forbid.
  const permit = () => {
    if (!mayWrite() && operation.method !== 'GET') {
      throw new Refusal(
        'forbidden',
        'These credentials are for reading only.',
        challenge('insufficient_scope'),
      );
    }
  };
  // A path parameter that breaks its form names nothing that could exist; the contract allows 404 for it.
  const isPossible = ([name, value]: [string, string]) => {
    if (name === 'type') {
      return value.length <= 128 && isEventType(value);
    }
    return value.length <= 64 && isId(value);
  };
  if (!Object.entries(params).every(isPossible)) {
    throw new Refusal('not_found', 'Nothing can have this name.');
  }
  return handle(operation, request, parsed, { params, base, order, permit });
}

/** Whether the request is for what anyone may read. A target that cannot be read is for nothing. */
function isOpen(operations: readonly Operation[], { method, target }: ServiceRequest): boolean {
  if (method !== 'GET' && method !== 'HEAD') {
    return false;
  }
  return (
    attempt(() => route(operations, parseTarget(target).segments).found.get('GET')?.open) ?? false
  );
}

/** Whether the credentials permit changes. RFC 6750: without credentials the challenge gives no error code. */
function authorize(
  header: string | undefined,
  { token, readOnlyToken }: IndependentServiceOptions,
): boolean {
  if (token === undefined) {
    return true;
  }
  const sent = /^bearer +(.*)$/is.exec(header ?? '')?.[1];
  if (sent === token) {
    return true;
  }
  if (sent !== undefined && sent === readOnlyToken) {
    return false;
  }
  const error = header === undefined ? undefined : 'invalid_token';
  throw new Refusal(
    'unauthorized',
    'These credentials do not open this service.',
    challenge(error),
  );
}

function challenge(error?: string) {
  return {
    headers: {
      'www-authenticate': `Bearer realm="independent"${error ? `, error="${error}"` : ''}`,
    },
  };
}

/** A host name or IP address and a port; nothing longer than DNS can hold. */
const HOST = /^(?:[\w.~-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?$/;
const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])(?::[0-9]{1,5})?$/i;

/** The beginning of every `uri`. RFC 9112, 3.2 asks for 400 where the host is invalid. HTTP/1.0 may send none. */
function baseUrl({ publicUrl, token }: IndependentServiceOptions, host = 'localhost'): string {
  if (!HOST.test(host)) {
    throw new Refusal('malformed_request', 'The Host header is not a host.');
  }
  const known = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  // Without tokens, any web page could reach the service under a name of its own (DNS rebinding).
  if (token === undefined && host !== known && !LOOPBACK.test(host)) {
    throw new Refusal(
      'malformed_request',
      'Without tokens, only hosts that are known here are served.',
    );
  }
  return publicUrl?.replace(/\/+$/, '') ?? `http://${host}`;
}

/** All operations on a path, by method. */
function route(operations: readonly Operation[], segments: readonly string[]) {
  const found = new Map<string, Operation>();
  let params: Params = {};
  for (const operation of operations) {
    const matched = match(operation.path, segments);
    if (matched === undefined) {
      continue;
    }
    params = matched;
    found.set(operation.method, operation);
  }
  if (found.size === 0) {
    throw new Refusal('not_found', 'Nothing lives under this path.');
  }
  return { params, found };
}

function match(template: string, segments: readonly string[]): Params | undefined {
  const parts = template.split('/').slice(1);
  const isName = (part: string) => part.startsWith('{');
  const isOf = (part: string, index: number) =>
    isName(part) ? segments[index] !== '' : segments[index] === part;
  if (parts.length !== segments.length || !parts.every(isOf)) {
    return undefined;
  }
  const named = parts.map((part, index) => [part.slice(1, -1), segments[index]!] as const);
  return Object.fromEntries(named.filter((_, index) => isName(parts[index]!)));
}
