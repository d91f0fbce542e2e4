/** What HTTP asks of a service: methods, negotiation, media types, bodies that cannot be read, paths. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import type { ServiceRequest, ServiceResponse } from '../service.ts';
import { answering, html, json, problem, withoutHeader as withoutAnswerHeader } from '../mutate/response.ts';
import { callOf, type OperationId, OPERATIONS, READING, WRITING } from '../mutate/operation.ts';
import { before, instead, type Mutate, refusing } from '../mutate/mutate.ts';
import { jsonIn, withHeaders, withoutHeader } from '../mutate/request.ts';

const mutant = mutantsOf('protocol');

/** A removal answers without content: there is nothing to negotiate. */
const NEGOTIATING = OPERATIONS.filter((operation) => !operation.startsWith('delete'));

const PATHS: [name: string, requirement: string, pattern: RegExp][] = [
  ['edges', 'protocol.405.edges.https', /^\/edges\/https(\?|$)/],
  ['edge', 'protocol.405.edges.https.id', /^\/edges\/https\/[^/?]+(\?|$)/],
  ['routes', 'protocol.405.edges.https.edge_id.routes', /^\/edges\/https\/[^/]+\/routes(\?|$)/],
  ['route', 'protocol.405.edges.https.edge_id.routes.id', /^\/edges\/https\/[^/]+\/routes\/[^/?]+(\?|$)/],
  [
    'sources',
    'protocol.405.event_subscriptions.subscription_id.sources',
    /^\/event_subscriptions\/[^/]+\/sources(\?|$)/,
  ],
  [
    'source',
    'protocol.405.event_subscriptions.subscription_id.sources.type',
    /^\/event_subscriptions\/[^/]+\/sources\/[^/?]+(\?|$)/,
  ],
];

/** The pattern of a path. */
function of(name: string): RegExp {
  return PATHS.find(([one]) => one === name)![2];
}

/** Answers to methods that a path does not have. */
function methodNotAllowed(
  pattern: RegExp,
  change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse,
): Mutate {
  return refusing(405, (response, request) => (pattern.test(request.target) ? change(response, request) : response));
}

function options(pattern: RegExp, change: (response: ServiceResponse) => ServiceResponse): Mutate {
  return (next) => async (request) => {
    const response = await next(request);
    return request.method === 'OPTIONS' && pattern.test(request.target) ? change(response) : response;
  };
}

function head(operation: OperationId, change: (response: ServiceResponse) => ServiceResponse): Mutate {
  return (next) => async (request) => {
    const response = await next(request);
    return request.method === 'HEAD' && callOf({ ...request, method: 'GET' })?.operationId === operation
      ? change(response)
      : response;
  };
}

/** Refuses or fails in its own way where the body is not JSON. */
function unreadable(operation: OperationId, handle: (request: ServiceRequest) => ServiceResponse): Mutate {
  return instead(operation, async (next, request) =>
    request.body.length > 0 && jsonIn(request) === undefined ? handle(request) : next(request),
  );
}

function refusesType(operation: OperationId, when: (type: string) => boolean): Mutate {
  return instead(operation, async (next, request) =>
    when(request.headers['content-type'] ?? '') ? problem(415, 'unsupported_media_type') : next(request),
  );
}

function refusesAccept(operation: OperationId, when: (accept: string) => boolean): Mutate {
  return instead(operation, async (next, request) =>
    when(request.headers['accept'] ?? '') ? problem(406, 'not_acceptable') : next(request),
  );
}

/** An escape stands for itself: no such resource. */
function undecoded(operation: OperationId): Mutate {
  return instead(operation, async (next, request) =>
    (request.target.split('?', 1)[0] ?? '').includes('%') ? problem(404, 'not_found') : next(request),
  );
}

const allowWithout = (method: string) => (response: ServiceResponse) =>
  answering(response, {
    allow: (response.headers['allow'] ?? '')
      .split(',')
      .filter((one) => one !== method)
      .join(','),
  });

const unknown =
  (response: (request: ServiceRequest) => ServiceResponse): Mutate =>
  (next) =>
  async (request) => {
    const given = await next(request);
    return given.status === 404 && !PATHS.some(([, , pattern]) => pattern.test(request.target))
      ? response(request)
      : given;
  };

const undecodable =
  (response: () => ServiceResponse): Mutate =>
  (next) =>
  async (request) => {
    try {
      decodeURIComponent(request.target);
      return await next(request);
    } catch {
      return response();
    }
  };

const form = (request: ServiceRequest) =>
  (request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded');

export const protocol: Mutant[] = [
  ...PATHS.flatMap(([name, requirement, pattern]) => [
    mutant(
      `405-as-404-${name}`,
      requirement,
      'A method that a path does not have is answered with 404.',
      methodNotAllowed(pattern, () => problem(404, 'not_found')),
    ),
    mutant(
      `405-without-allow-${name}`,
      requirement,
      'A 405 has no Allow.',
      methodNotAllowed(pattern, (response) => withoutAnswerHeader(response, 'allow')),
    ),
    mutant(
      `options-405-${name}`,
      requirement,
      'OPTIONS is answered with 405.',
      options(pattern, (response) => ({
        ...problem(405, 'method_not_allowed'),
        headers: { ...problem(405, '').headers, allow: response.headers['allow'] ?? '' },
      })),
    ),
  ]),
  mutant(
    '405-as-501',
    'protocol.405.edges.https',
    'A method that a path does not have is answered with 501.',
    methodNotAllowed(of('edges'), () => problem(501, 'internal_error')),
  ),
  mutant(
    '405-html',
    'protocol.405.edges.https.id',
    'A 405 is a page in HTML.',
    methodNotAllowed(of('edge'), (response) => ({
      ...html(405, 'Method Not Allowed'),
      headers: { 'content-type': 'text/html', allow: response.headers['allow']! },
    })),
  ),
  mutant(
    'allow-incomplete',
    'protocol.405.event_subscriptions.subscription_id.sources.type',
    'Allow lacks PATCH.',
    methodNotAllowed(of('source'), allowWithout('PATCH')),
  ),
  mutant(
    'allow-everything',
    'protocol.405.event_subscriptions.subscription_id.sources',
    'Allow lists the method that was refused.',
    methodNotAllowed(of('sources'), (response) =>
      answering(response, { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' }),
    ),
  ),
  mutant(
    'allow-empty',
    'protocol.405.edges.https',
    'Allow is empty.',
    methodNotAllowed(of('edges'), (response) => answering(response, { allow: '' })),
  ),
  mutant(
    'options-without-allow',
    'protocol.405.edges.https',
    'OPTIONS is answered without Allow.',
    options(of('edges'), (response) => withoutAnswerHeader(response, 'allow')),
  ),
  mutant(
    'options-404',
    'protocol.405.event_subscriptions.subscription_id.sources',
    'OPTIONS is answered with 404.',
    options(of('sources'), () => problem(404, 'not_found')),
  ),
  mutant(
    'options-incomplete',
    'protocol.405.event_subscriptions.subscription_id.sources.type',
    'OPTIONS lists no DELETE.',
    options(of('source'), allowWithout('DELETE')),
  ),
  mutant(
    'put-as-patch',
    'protocol.405.event_subscriptions.subscription_id.sources.type',
    'PUT does what PATCH does.',
    (next) => (request) => next(request.method === 'PUT' ? { ...request, method: 'PATCH' } : request),
  ),
  mutant(
    'methods-of-nothing',
    'protocol.405.edges.https.id',
    'A method that a path does not have is answered as GET.',
    (next) => (request) =>
      next(
        of('edge').test(request.target) && !['GET', 'HEAD', 'OPTIONS'].includes(request.method)
          ? { ...request, method: 'GET' }
          : request,
      ),
  ),
  ...READING.flatMap((operation) => [
    mutant(
      `head-405-${operation}`,
      `${operation}.head`,
      `HEAD is answered with 405 where ${operation} works.`,
      head(operation, () => ({ ...problem(405, 'method_not_allowed'), body: '' })),
    ),
    mutant(
      `head-204-${operation}`,
      `${operation}.head`,
      `HEAD is answered with 204 where ${operation} answers 200.`,
      head(operation, (response) => ({ ...response, status: response.status === 200 ? 204 : response.status })),
    ),
    mutant(
      `head-no-type-${operation}`,
      `${operation}.head`,
      `HEAD has no Content-Type where ${operation} has one.`,
      head(operation, (response) => withoutAnswerHeader(response, 'content-type')),
    ),
  ]),
  mutant(
    'head-404',
    'getEventSource.head',
    'HEAD finds no source.',
    head('getEventSource', (response) => ({ ...response, status: 404 })),
  ),
  ...WRITING.flatMap((operation) => [
    mutant(
      `415-ignored-${operation}`,
      `${operation}.415`,
      `${operation} reads a body whatever its media type.`,
      before(operation, (request) =>
        request.body.length > 0 ? withHeaders(request, { 'content-type': 'application/json' }) : request,
      ),
    ),
    mutant(
      `415-as-400-${operation}`,
      `${operation}.415`,
      `${operation} answers 400 to another media type.`,
      instead(operation, async (next, request) => {
        const response = await next(request);
        return response.status === 415 ? problem(400, 'malformed_request') : response;
      }),
    ),
    mutant(
      `415-for-charset-${operation}`,
      `${operation}.415`,
      `${operation} refuses JSON with a charset.`,
      refusesType(operation, (type) => /charset/i.test(type)),
    ),
    mutant(
      `json-500-${operation}`,
      `${operation}.body.json`,
      `${operation} answers 500 to a body that is not JSON.`,
      unreadable(operation, () => problem(500, 'internal_error')),
    ),
    mutant(
      `utf-8-500-${operation}`,
      `${operation}.body.utf-8`,
      `${operation} answers 500 to a body that is not UTF-8.`,
      unreadable(operation, () => problem(500, 'internal_error')),
    ),
    mutant(
      `unicode-500-${operation}`,
      `${operation}.body.unicode`,
      `${operation} answers 500 to a lone surrogate.`,
      instead(operation, async (next, request) =>
        /\\u[dD][89a-fA-F]/.test(request.body.toString()) ? problem(500, 'internal_error') : next(request),
      ),
    ),
  ]),
  mutant(
    '415-any-case',
    'createEdge.415',
    'The media type is compared in lower case only.',
    refusesType('createEdge', (type) => /[A-Z]/.test(type.split(';')[0]!)),
  ),
  mutant(
    '415-forms',
    'createEventSource.415',
    'A form is read as well.',
    before('createEventSource', (request) =>
      form(request)
        ? { ...withHeaders(request, { 'content-type': 'application/json' }), body: Buffer.from('{"type":"form.v0"}') }
        : request,
    ),
  ),
  mutant(
    '415-text',
    'updateEventSource.415',
    'JSON that is declared as text/plain is read.',
    before('updateEventSource', (request) =>
      request.headers['content-type'] === 'text/plain'
        ? withHeaders(request, { 'content-type': 'application/json' })
        : request,
    ),
  ),
  mutant(
    'json-422',
    'createEventSource.body.json',
    'A body that is not JSON is answered with 422.',
    unreadable('createEventSource', () => problem(422, 'malformed_request')),
  ),
  mutant(
    'json-html',
    'createEdge.body.json',
    'A body that is not JSON is answered with a page in HTML.',
    unreadable('createEdge', () => html(400, 'SyntaxError')),
  ),
  mutant(
    'json-closes',
    'createEdge.body.json',
    'A body that is not JSON closes the connection.',
    unreadable('createEdge', () => {
      throw new Error('mutant');
    }),
  ),
  ...WRITING.filter((operation) => operation !== 'updateEventSource').map((operation) =>
    mutant(
      `no-body-500-${operation}`,
      `${operation}.body.missing`,
      `${operation} answers 500 where the body is missing.`,
      instead(operation, async (next, request) =>
        request.body.length === 0 ? problem(500, 'internal_error') : next(request),
      ),
    ),
  ),
  mutant(
    'empty-body-accepted',
    'createEdge.body.missing',
    'An empty body is taken for an empty object.',
    before('createEdge', (request) =>
      request.body.length === 0
        ? { ...withHeaders(request, { 'content-type': 'application/json' }), body: Buffer.from('{}') }
        : request,
    ),
  ),
  mutant(
    'empty-body-415',
    'createEventSource.body.missing',
    'A body that is missing is answered with 415.',
    instead('createEventSource', async (next, request) =>
      request.body.length === 0 ? problem(415, 'unsupported_media_type') : next(request),
    ),
  ),
  mutant(
    'empty-body-411',
    'createEdge.body.missing',
    'A body that is missing is answered with 411.',
    instead('createEdge', async (next, request) =>
      request.body.length === 0 ? problem(411, 'malformed_request') : next(request),
    ),
  ),
  mutant(
    'empty-json-accepted',
    'createEdge.body.missing',
    'A body of no bytes that is declared as JSON is taken for an empty object.',
    before('createEdge', (request) =>
      request.body.length === 0 && request.headers['content-type'] !== undefined
        ? { ...request, body: Buffer.from('{}') }
        : request,
    ),
  ),
  ...NEGOTIATING.flatMap((operation) => [
    mutant(
      `406-ignored-${operation}`,
      `${operation}.406`,
      `${operation} answers with JSON whatever is acceptable.`,
      before(operation, (request) => withoutHeader(request, 'accept')),
    ),
    mutant(
      `406-for-anything-${operation}`,
      `${operation}.406`,
      `${operation} refuses Accept: */*.`,
      refusesAccept(operation, (accept) => accept === '*/*'),
    ),
  ]),
  mutant(
    '406-for-application',
    'getEdge.406',
    'Accept: application/* is refused.',
    refusesAccept('getEdge', (accept) => accept === 'application/*'),
  ),
  mutant(
    '406-first-range-only',
    'createEdge.406',
    'Only the first range of Accept counts.',
    refusesAccept('createEdge', (accept) => accept.startsWith('text/html')),
  ),
  mutant(
    '406-ignores-quality',
    'listEventSources.406',
    'A quality of 0 in Accept does not count.',
    before('listEventSources', (request) =>
      /application\/json;q=0,/.test(request.headers['accept'] ?? '') ? withoutHeader(request, 'accept') : request,
    ),
  ),
  mutant(
    '406-as-html',
    'getEventSource.406',
    'Accept: text/html is answered with a page in HTML.',
    instead('getEventSource', async (next, request) =>
      request.headers['accept'] === 'text/html' ? html(200, 'Source') : next(request),
    ),
  ),
  ...OPERATIONS.filter((operation) => !['createEdge', 'listEdges'].includes(operation)).map((operation) =>
    mutant(
      `path-undecoded-${operation}`,
      `${operation}.path.decoding`,
      `${operation} does not decode its path.`,
      undecoded(operation),
    ),
  ),
  mutant(
    'path-decoded-twice',
    'getEdge.path.decoding',
    'A path is decoded twice.',
    before('getEdge', (request) => ({ ...request, target: request.target.replaceAll('%25', '%') })),
  ),
  mutant(
    'unknown-path-page',
    'protocol.404',
    'An unknown path is answered with the page of an application.',
    unknown(() => html(200, 'Edges')),
  ),
  mutant(
    'unknown-path-400',
    'protocol.404',
    'An unknown path is answered with 400.',
    unknown(() => problem(400, 'malformed_request')),
  ),
  mutant(
    'unknown-path-html',
    'protocol.404',
    'An unknown path is answered with a page in HTML.',
    unknown(() => html(404, 'Not Found')),
  ),
  mutant(
    'unknown-path-json',
    'protocol.404',
    'An unknown path is answered with another JSON than a problem.',
    unknown(() => json(404, { message: 'Not Found' })),
  ),
  mutant(
    'unknown-path-empty',
    'protocol.404',
    'An unknown path is answered without a body.',
    unknown(() => ({ status: 404, headers: {}, body: '' })),
  ),
  mutant(
    'unknown-path-redirect',
    'protocol.404',
    'An unknown path is redirected.',
    unknown(() => ({ status: 302, headers: { location: '/' }, body: '' })),
  ),
  mutant(
    'paths-any-case',
    'protocol.404',
    'Paths are found in any case.',
    (next) => (request) =>
      next({
        ...request,
        target: /^\/edges\/https\/x$/i.test(request.target) ? '/edges/https' : request.target,
        method: /^\/Edges\/Https\/x$/.test(request.target) ? 'OPTIONS' : request.method,
      }),
  ),
  mutant(
    'prefix-of-path',
    'protocol.404',
    'What follows a known path is ignored.',
    (next) => (request) =>
      next(
        /^\/edges\/https\/[^/]+\/.+$/.test(request.target)
          ? { ...request, method: 'OPTIONS', target: '/edges/https' }
          : request,
      ),
  ),
  mutant(
    'undecodable-500',
    'protocol.path.undecodable',
    'A path that cannot be decoded is answered with 500.',
    undecodable(() => problem(500, 'internal_error')),
  ),
  mutant(
    'undecodable-html',
    'protocol.path.undecodable',
    'A path that cannot be decoded is answered with a page in HTML.',
    undecodable(() => html(400, 'URIError')),
  ),
  mutant(
    'undecodable-closes',
    'protocol.path.undecodable',
    'A path that cannot be decoded closes the connection.',
    undecodable(() => {
      throw new Error('mutant');
    }),
  ),
  mutant(
    'undecodable-empty-list',
    'protocol.path.undecodable',
    'A path that cannot be decoded is taken as it is.',
    undecodable(() => json(200, { sources: [], uri: null })),
  ),
];
