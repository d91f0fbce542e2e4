/**
 * Services that break one sentence of the contract each, and the requirement that must find it. They stand between the
 * wire and the independent service.
 */
import type { Implementation } from '../../engine/http/implementation.ts';
import type { Level } from '../../engine/contract/operations.ts';
import { GUARDED, OPEN, type Tokens } from '../tokens.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';

export interface Broken {
  /** What is wrong, in one sentence. */
  breaks: string;
  /** The id of a requirement that must fail. */
  foundBy: string;
  level?: Level;
  origin?: Implementation['origin'];
  tokens: Tokens;
  service(next: Service): Service;
}

type Json = Record<string, any>;

const parsed = (body: string | Buffer): any => {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
};

/** Rewrites the requests that the service sees. */
const seeing =
  (change: (request: ServiceRequest) => ServiceRequest) =>
  (next: Service): Service =>
  (request) =>
    next(change(request));

/** Rewrites the JSON of responses. */
const showing =
  (change: (json: Json, request: ServiceRequest, response: ServiceResponse) => unknown) =>
  (next: Service): Service =>
  async (request) => {
    const response = await next(request);
    const json = parsed(response.body);
    if (typeof json !== 'object' || json === null) return response;
    const changed = change(json, request, response);
    if (changed === undefined) return response;
    const { 'content-length': _, ...headers } = response.headers;
    return { ...response, headers, body: JSON.stringify(changed) };
  };

/** Rewrites the entries of `errors`. */
const errors = (change: (all: Json[], request: ServiceRequest) => Json[]) =>
  showing((json, request) =>
    Array.isArray(json['errors']) ? { ...json, errors: change(json['errors'], request) } : undefined,
  );

const pointers = (change: (pointer: string) => string) =>
  errors((all) =>
    all.map((one) => (typeof one['pointer'] === 'string' ? { ...one, pointer: change(one['pointer']) } : one)),
  );

/** Responds itself to some requests. */
const instead =
  (when: (request: ServiceRequest) => boolean, status: number, code: string) =>
  (next: Service): Service =>
  async (request) =>
    when(request) ? problem(status, code) : next(request);

function problem(status: number, code: string): ServiceResponse {
  const body = { type: 'about:blank', title: 'Refused', status, detail: 'No.', code };
  return { status, headers: { 'content-type': 'application/problem+json' }, body: JSON.stringify(body) };
}

const withBody = (request: ServiceRequest, text: string): ServiceRequest => ({ ...request, body: Buffer.from(text) });
const header = (name: string, change: (value: string) => string | undefined) =>
  seeing((request) => {
    const { [name]: value, ...headers } = request.headers;
    const changed = value === undefined ? undefined : change(value);
    return { ...request, headers: changed === undefined ? headers : { ...headers, [name]: changed } };
  });

const open = { tokens: OPEN };
const guarded = { tokens: GUARDED };
const extended = { ...open, level: 'extended' as const };
const bySource = { ...open, origin: 'source' as const };

export const BROKEN: readonly Broken[] = [
  // What a refusal says.
  {
    ...open,
    breaks: 'Each error has the code `type`.',
    foundBy: 'createEdge.body.description.x-max-bytes',
    service: errors((all) => all.map((one) => ({ ...one, code: 'type' }))),
  },
  {
    ...open,
    breaks: 'Errors point to the body as a whole.',
    foundBy: 'createEdge.body.hostports.*.pattern',
    service: pointers(() => ''),
  },
  {
    ...open,
    breaks: 'Indices of items begin at 1.',
    foundBy: 'createEdge.body.hostports.*.pattern',
    service: pointers((pointer) => pointer.replace(/\d+$/, (index) => String(Number(index) + 1))),
  },
  {
    ...open,
    breaks: 'Only the first five items are numbered.',
    foundBy: 'createEdge.body.hostports.*.type',
    service: pointers((pointer) => pointer.replace(/(\d+)$/, (index) => String(Math.min(Number(index), 4)))),
  },
  {
    ...open,
    breaks: 'A slash in a name is not escaped.',
    foundBy: 'createEdge.body.additionalProperties',
    service: pointers((pointer) => pointer.replaceAll('~1', '/')),
  },
  {
    ...open,
    breaks: 'A tilde in a name is not escaped.',
    foundBy: 'updateEventSource.body.additionalProperties',
    service: pointers((pointer) => pointer.replaceAll('~0', '~')),
  },
  {
    ...open,
    breaks: 'Names are percent-encoded in pointers.',
    foundBy: 'createEventSource.body.additionalProperties',
    service: pointers(encodeURI),
  },
  {
    ...open,
    breaks: 'Pointers begin with `#`.',
    foundBy: 'createEdge.body.mutual_tls.enabled.type',
    service: pointers((pointer) => `#${pointer}`),
  },
  {
    ...open,
    breaks: 'A good field is reported, too.',
    foundBy: 'createEdge.body.two-errors',
    service: errors((all, { target }) =>
      target === '/edges/https' ? [...all, { pointer: '/enabled', code: 'required', detail: 'It is needed.' }] : all,
    ),
  },
  {
    ...open,
    breaks: 'Each error is reported at its module.',
    foundBy: 'createEdge.body.mutual_tls.certificate_authority_ids.*.type',
    service: pointers((pointer) => pointer.split('/').slice(0, 2).join('/')),
  },
  {
    ...open,
    breaks: 'An unknown query parameter is `repeated`.',
    foundBy: 'getEdge.query.unknown',
    service: errors((all) =>
      all.map((one) => ({ ...one, code: one['parameter'] === undefined ? one['code'] : 'repeated' })),
    ),
  },
  {
    ...open,
    breaks: 'JSON that cannot be read is `invalid_request`.',
    foundBy: 'createEventSource.body.json',
    service: showing((json) =>
      json['code'] === 'malformed_request'
        ? { ...json, code: 'invalid_request', errors: [{ pointer: '', code: 'format', detail: 'No JSON.' }] }
        : undefined,
    ),
  },
  {
    ...open,
    breaks: '`request_id` is always the same.',
    foundBy: 'problems.request-id',
    service: showing((json, _, { status }) => (status >= 400 ? { ...json, request_id: 'req_1' } : undefined)),
  },

  // Texts of JSON.
  {
    ...open,
    breaks: 'Only the outermost names must differ.',
    foundBy: 'createEdge.body.repeated-names',
    service: seeing((request) =>
      /"tls_termination"|"mutual_tls"/.test(request.body.toString())
        ? withBody(request, JSON.stringify(parsed(request.body) ?? {}))
        : request,
    ),
  },
  {
    ...extended,
    breaks: 'Lone surrogates below the top are replaced.',
    foundBy: 'createRoute.body.unicode',
    service: seeing((request) => {
      const text = request.body.toString();
      return /":\{/.test(text) ? withBody(request, text.replaceAll(/\\u[dD][89a-fA-F]../g, '?')) : request;
    }),
  },
  {
    ...open,
    breaks: 'White space before a body is refused.',
    foundBy: 'createEventSource.body.white-space',
    service: instead(({ body }) => /^\s/.test(body.toString()), 400, 'malformed_request'),
  },
  {
    ...open,
    breaks: 'A byte order mark is a crash.',
    foundBy: 'createEventSource.body.byte-order-mark',
    service: instead(({ body }) => body[0] === 0xef, 500, 'internal_error'),
  },
  {
    ...open,
    breaks: 'Without a length, a body is not read.',
    foundBy: 'createEventSource.body.chunked',
    service: (next) => (request) =>
      next(request.headers['transfer-encoding'] === undefined ? request : withBody(request, '')),
  },
  {
    ...open,
    breaks: 'Python reads it: NaN and Infinity are numbers.',
    foundBy: 'createEdge.body.json',
    service: seeing((request) =>
      withBody(
        request,
        request.body
          .toString()
          .replaceAll(/:(NaN|-?Infinity)/g, ':0')
          .replace('{"a":0}', '{}'),
      ),
    ),
  },
  {
    ...extended,
    breaks: '`4294967295.0` is no integer.',
    foundBy: 'createRoute.body.circuit_breaker.tripped_duration.maximum',
    service: instead(({ body }) => /:\d+\.0[,}]/.test(body.toString()), 400, 'malformed_request'),
  },
  {
    ...extended,
    breaks: 'A number of 5,000 digits is a crash.',
    foundBy: 'createRoute.body.circuit_breaker.tripped_duration.maximum',
    service: instead(({ body }) => /\d{4301}/.test(body.toString()), 500, 'internal_error'),
  },

  // Header fields.
  {
    ...open,
    breaks: 'Each media type that ends in `json` is JSON.',
    foundBy: 'createEventSource.415.relatives',
    service: header('content-type', (type) => (type.endsWith('json') ? 'application/json' : type)),
  },
  {
    ...open,
    breaks: 'A charset is ignored.',
    foundBy: 'createEventSource.415.charset',
    service: header('content-type', (type) => type.replace(/;.*/, '')),
  },
  {
    ...open,
    breaks: 'A charset in quotes is not understood.',
    foundBy: 'createEventSource.415.charset',
    service: instead(({ headers }) => /charset="/i.test(headers['content-type'] ?? ''), 415, 'unsupported_media_type'),
  },
  {
    ...open,
    breaks: 'A parameter of a media type is a crash.',
    foundBy: 'createEventSource.415.parameters',
    service: instead(({ headers }) => /;\s*[vpx]/.test(headers['content-type'] ?? ''), 500, 'internal_error'),
  },
  {
    ...open,
    breaks: 'Two Content-Type fields are a crash.',
    foundBy: 'createEventSource.415.fields',
    service: instead(({ headers }) => /,/.test(headers['content-type'] ?? ''), 500, 'internal_error'),
  },
  {
    ...open,
    breaks: 'Of two Accept fields, the first counts.',
    foundBy: 'getEdge.accept.fields',
    service: header('accept', (accept) =>
      accept.startsWith('text/html, application/json;q=0.5') ? 'text/html' : accept,
    ),
  },
  {
    ...open,
    breaks: 'Weights of Accept are ignored.',
    foundBy: 'getEdge.406',
    service: header('accept', (accept) => accept.replaceAll(/;\s*q=[\d.]+/g, '')),
  },
  {
    ...open,
    breaks: 'A body on DELETE is a crash.',
    foundBy: 'deleteEventSource.no-body',
    service: instead(({ method, body }) => method === 'DELETE' && body.length > 0, 500, 'internal_error'),
  },
  {
    ...open,
    breaks: 'A DELETE with a body is refused, and done.',
    foundBy: 'deleteEventSource.no-body',
    service: (next) => async (request) => {
      const response = await next(request);
      return request.method === 'DELETE' && request.body.length > 0 ? problem(400, 'malformed_request') : response;
    },
  },
  {
    ...guarded,
    breaks: 'Of two Authorization fields, the first counts.',
    foundBy: 'authentication.two-fields',
    service: header('authorization', (value) => value.split(', ')[0]),
  },
  {
    ...open,
    breaks: 'An open service refuses a token.',
    foundBy: 'open.authorization',
    service: instead(({ headers }) => headers['authorization'] !== undefined, 401, 'unauthorized'),
  },
  {
    ...open,
    breaks: 'An open service serves any host.',
    foundBy: 'open.hosts',
    service: header('host', () => 'localhost'),
  },

  // Paths and methods.
  {
    ...open,
    breaks: 'An encoded slash separates segments.',
    foundBy: 'protocol.path.encoded-slash',
    service: seeing((request) => ({ ...request, target: request.target.replaceAll(/%2f/gi, '/') })),
  },
  {
    ...open,
    breaks: 'Two slashes are a crash.',
    foundBy: 'protocol.path.spellings',
    service: instead(({ target }) => /\/\//.test(target), 500, 'internal_error'),
  },
  {
    ...open,
    breaks: 'HEAD finds everything.',
    foundBy: 'getEdge.head',
    service: (next) => async (request) => {
      const response = await next(request);
      return request.method === 'HEAD' && response.status === 404 ? { ...response, status: 200 } : response;
    },
  },
  {
    ...open,
    breaks: 'The next request after input that is not HTTP fails.',
    foundBy: 'protocol.not-http',
    service: instead(
      ({ method, target }) => method === 'GET' && target.startsWith('/edges/https/conformance_'),
      500,
      'internal_error',
    ),
  },
  {
    ...open,
    breaks: 'A type that exists already is found before the body is read.',
    foundBy: 'sources.conflict-only-if-valid',
    service: instead(({ body }) => parsed(body)?.['x'] === 1, 409, 'already_exists'),
  },
  {
    ...extended,
    breaks: 'A match that exists already is found before the body is read.',
    foundBy: 'routes.conflict-only-if-valid',
    service: instead(({ body }) => parsed(body)?.['x'] === 1, 409, 'already_exists'),
  },

  // What is stored.
  {
    ...open,
    breaks: 'Hostports that differ in case are the same.',
    foundBy: 'edges.echo.lists',
    service: instead(
      ({ body }) => {
        const hostports = parsed(body)?.['hostports'];
        const all = Array.isArray(hostports) ? hostports.map((one) => String(one).toLowerCase()) : [];
        return new Set(all).size < all.length && new Set(hostports).size === all.length;
      },
      400,
      'invalid_request',
    ),
  },
  {
    ...open,
    breaks: 'Only the fifty newest edges are kept.',
    foundBy: 'edges.stable',
    service: (next) => {
      const kept: string[] = [];
      return async (request) => {
        const [, , , id] = request.target.split('/');
        if (request.method === 'GET' && kept.length >= 50 && id !== undefined && !kept.slice(-50).includes(id))
          return problem(404, 'not_found');
        const response = await next(request);
        if (request.method === 'POST' && response.status === 201) kept.push(parsed(response.body)?.['id']);
        return response;
      };
    },
  },

  {
    ...open,
    breaks: 'That a source was not there is remembered.',
    foundBy: 'sources.added-again',
    service: (next) => {
      const missing = new Set<string>();
      return async (request) => {
        if (request.method === 'GET' && missing.has(request.target)) return problem(404, 'not_found');
        const response = await next(request);
        if (request.method === 'GET' && response.status === 404) missing.add(request.target);
        return response;
      };
    },
  },

  {
    ...open,
    breaks: 'Of a subscription id, 32 characters are kept.',
    foundBy: 'sources.longest-subscription',
    service: seeing((request) => ({
      ...request,
      target: request.target.replace(/(?<=^\/event_subscriptions\/[^/]{32})[^/]*/, ''),
    })),
  },

  {
    ...open,
    breaks: 'A response to HEAD has a body.',
    foundBy: 'getEventSource.head',
    service: (next) => async (request) => {
      const response = await next(request);
      return request.method === 'HEAD' ? { ...response, extra: '{}' } : response;
    },
  },
  {
    ...open,
    breaks: 'A 204 has a body.',
    foundBy: 'deleteEventSource.204',
    service: (next) => async (request) => {
      const response = await next(request);
      return response.status === 204 ? { ...response, extra: '{}' } : response;
    },
  },

  // What the source document states.
  {
    ...bySource,
    breaks: 'The `uri` of a source leads to its list.',
    foundBy: 'sources.uri',
    service: showing((json) =>
      typeof json['type'] === 'string' && json['uri'] !== undefined
        ? { ...json, uri: String(json['uri']).replace(/\/[^/]*$/, '') }
        : undefined,
    ),
  },
  {
    ...bySource,
    breaks: 'Subscriptions that differ in case only are one.',
    foundBy: 'sources.case',
    service: seeing((request) => ({
      ...request,
      target: request.target.replace(/(?<=^\/event_subscriptions\/)[^/]*/, (id) => id.toLowerCase()),
    })),
  },
  {
    ...bySource,
    breaks: 'A `min_version` is lost.',
    foundBy: 'edges.min-version.kept',
    service: showing((json) =>
      json['tls_termination']
        ? { ...json, tls_termination: { ...json['tls_termination'], min_version: null } }
        : undefined,
    ),
  },
  {
    ...bySource,
    breaks: 'A Ref has no `uri`.',
    foundBy: 'edges.refs',
    service: showing(({ mutual_tls: module, ...json }) => {
      const authorities = (module?.certificate_authorities ?? []) as Json[];
      const bare = authorities.map(({ id }) => ({ id }));
      return module ? { ...json, mutual_tls: { ...module, certificate_authorities: bare } } : undefined;
    }),
  },
];
