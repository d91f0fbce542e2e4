/** Services with a token that may only read, which lets changes through, or hinders reading. */
import { type Mutant, mutantsOf, READ_ONLY_TOKEN, TOKEN } from '../mutant.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { answering, html, jsonOf, NO_CONTENT, problem, showing, withoutHeader } from '../mutate/response.ts';
import { type Call, type OperationId, OPERATIONS, READING } from '../mutate/operation.ts';
import { instead, type Mutate, refusing } from '../mutate/mutate.ts';
import { isObject, type Json, withHeaders } from '../mutate/request.ts';
import { eachText } from '../mutate/values.ts';

const define = mutantsOf('read-only');

const mutant: typeof define = (...parts) => ({ ...define(...parts), needsToken: true });

const isReader = ({ headers }: ServiceRequest) => headers['authorization'] === `Bearer ${READ_ONLY_TOKEN}`;

/** The same request, from somebody who may do everything. */
const trusted = (request: ServiceRequest) => withHeaders(request, { authorization: `Bearer ${TOKEN}` });

/** Handles what is sent with that token itself. */
function forReaders(
  operations: OperationId | OperationId[],
  handle: (next: Service, request: ServiceRequest, call: Call) => Promise<ServiceResponse>,
): Mutate {
  return instead(operations, (next, request, call) =>
    isReader(request) ? handle(next, request, call) : next(request),
  );
}

/** It counts as one that permits everything. */
const permits = (...operations: OperationId[]): Mutate =>
  forReaders(operations, (next, request) => next(trusted(request)));

/** The answer is right, and comes too late. */
const actsFirst = (operation: OperationId): Mutate =>
  forReaders(operation, async (next, request) => {
    const response = await next(request);
    await next(trusted(request));
    return response;
  });

/** Changes refusals for want of permission. */
const refusal = (change: (response: ServiceResponse) => ServiceResponse): Mutate => refusing(403, change);

/** Another status, and all else as it is. */
const as = (status: number, code: string): Mutate =>
  refusal((response) => showing({ ...response, status }, { ...jsonOf(response), status, code }));

/** What readers are shown. */
const showingReaders = (operation: OperationId, change: (shown: Json) => unknown): Mutate =>
  forReaders(operation, async (next, request) => {
    const response = await next(request);
    return showing(response, change(jsonOf(response)));
  });

const FORBIDDEN = problem(403, 'forbidden');
const CHANGING = OPERATIONS.filter((operation) => !READING.includes(operation));

const change = (operation: OperationId) => `${operation}.403`;
const read = (operation: OperationId) => `${operation}.read-only-token`;
const SOURCES = 'authentication.read-only-token.sources-stay';
const EDGES = 'authentication.read-only-token.edges-stay';

const withoutSecrets = (shown: Json) =>
  Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [
      name,
      isObject(value) && 'secret' in value ? { ...value, secret: null } : value,
    ]),
  );

export const readOnly: Mutant[] = [
  ...CHANGING.map((operation) =>
    mutant(
      `permits-${operation}`,
      change(operation),
      `${operation} is done for a token that may only read.`,
      permits(operation),
    ),
  ),
  mutant(
    'permits-deletions',
    change('deleteEventSource'),
    'A token that may only read may remove.',
    permits('deleteEdge', 'deleteRoute', 'deleteEventSource'),
  ),
  mutant(
    'permits-updates',
    change('updateEventSource'),
    'A token that may only read may update.',
    permits('updateEdge', 'updateRoute', 'updateEventSource'),
  ),
  mutant(
    '401',
    change('createEdge'),
    'A change that the token does not permit is answered 401.',
    as(401, 'unauthorized'),
  ),
  mutant('401-code', change('updateEventSource'), 'A 403 has the code of a 401.', as(403, 'unauthorized')),
  mutant(
    '400',
    change('createEventSource'),
    'A change that the token does not permit is answered 400.',
    as(400, 'malformed_request'),
  ),
  mutant(
    '404',
    change('deleteEventSource'),
    'To a token that may only read, nothing is there to be removed.',
    as(404, 'not_found'),
  ),
  mutant(
    '405',
    change('updateEventSource'),
    'To a token that may only read, a path has no methods that change.',
    forReaders(CHANGING, async () => answering(problem(405, 'method_not_allowed'), { allow: 'GET, HEAD, OPTIONS' })),
  ),
  mutant(
    '500',
    change('createEventSource'),
    'A change that the token does not permit is answered 500.',
    as(500, 'internal_error'),
  ),
  mutant(
    'silent',
    change('deleteEventSource'),
    'A removal that the token does not permit is answered as if it were done.',
    forReaders('deleteEventSource', async () => NO_CONTENT),
  ),
  mutant(
    'no-challenge',
    change('deleteEventSource'),
    'A 403 has no WWW-Authenticate.',
    refusal((response) => withoutHeader(response, 'www-authenticate')),
  ),
  mutant(
    'basic-challenge',
    change('createEdge'),
    'A 403 has the challenge of another scheme.',
    refusal((response) => answering(response, { 'www-authenticate': 'Basic realm="edges"' })),
  ),
  mutant(
    'html',
    change('createEventSource'),
    'A 403 is a page in HTML.',
    refusal((response) => ({
      ...html(403, 'Forbidden'),
      headers: { 'content-type': 'text/html', 'www-authenticate': response.headers['www-authenticate']! },
    })),
  ),
  mutant(
    'empty',
    change('updateEventSource'),
    'A 403 has no body.',
    refusal((response) => ({
      ...response,
      headers: { 'www-authenticate': response.headers['www-authenticate']! },
      body: '',
    })),
  ),
  mutant(
    'acts-first-createEventSource',
    SOURCES,
    'A source is added before the add is forbidden.',
    actsFirst('createEventSource'),
  ),
  mutant(
    'acts-first-updateEventSource',
    SOURCES,
    'A source is updated before the update is forbidden.',
    actsFirst('updateEventSource'),
  ),
  mutant(
    'acts-first-deleteEventSource',
    SOURCES,
    'A source is removed before the removal is forbidden.',
    actsFirst('deleteEventSource'),
  ),
  ...(['createEdge', 'updateEdge', 'deleteEdge', 'createRoute', 'updateRoute', 'deleteRoute'] as const).map(
    (operation) =>
      mutant(`acts-first-${operation}`, EDGES, `${operation} is done before it is forbidden.`, actsFirst(operation)),
  ),
  ...READING.map((operation) =>
    mutant(
      `forbids-${operation}`,
      read(operation),
      `${operation} is forbidden to a token that may only read.`,
      forReaders(operation, async () => FORBIDDEN),
    ),
  ),
  mutant(
    'forbids-head',
    read('getEdge'),
    'HEAD is taken for a change, and forbidden to a token that may only read.',
    (next) => async (request) => (request.method === 'HEAD' && isReader(request) ? FORBIDDEN : next(request)),
  ),
  mutant(
    'unknown',
    read('getEventSource'),
    'The token that may only read is not known to a read.',
    forReaders('getEventSource', async () => problem(401, 'unauthorized')),
  ),
  mutant(
    'not-found',
    read('getEventSource'),
    'A token that may only read finds no source.',
    forReaders('getEventSource', async () => problem(404, 'not_found')),
  ),
  mutant(
    'hides-metadata',
    read('getEdge'),
    'A token that may only read is not shown the metadata of an edge.',
    showingReaders('getEdge', (edge) => ({ ...edge, metadata: '' })),
  ),
  mutant(
    'hides-module',
    read('getEdge'),
    'A token that may only read is not shown which clients an edge trusts.',
    showingReaders('getEdge', (edge) => ({ ...edge, mutual_tls: null })),
  ),
  mutant(
    'hides-sources',
    read('listEventSources'),
    'A token that may only read is shown an empty list of sources.',
    showingReaders('listEventSources', (list) => ({ ...list, sources: [], uri: null })),
  ),
  mutant(
    'hides-edges',
    read('listEdges'),
    'A token that may only read is shown an empty list of edges.',
    showingReaders('listEdges', (list) => ({ ...list, https_edges: [], next_page_uri: null })),
  ),
  mutant(
    'hides-routes',
    read('listEdges'),
    'A token that may only read is shown edges without their routes.',
    showingReaders('listEdges', (list) => ({
      ...list,
      https_edges: (list['https_edges'] as Json[]).map((edge) => ({ ...edge, routes: [] })),
    })),
  ),
  mutant(
    'hides-secret',
    read('getRoute'),
    'A token that may only read is not shown the secret of a webhook.',
    showingReaders('getRoute', withoutSecrets),
  ),
  mutant(
    'masks-secrets',
    read('getRoute'),
    'A token that may only read is shown stars in place of secrets.',
    showingReaders('getRoute', (route) => eachText(route, (text) => text.replace(/^conformance-\w+$/, '***')) as Json),
  ),
];
