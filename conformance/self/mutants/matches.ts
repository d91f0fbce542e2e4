/** Matches of routes that are compared in another way, or with other routes, than the contract says. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { jsonOf, problem, showing } from '../mutate/response.ts';
import { routeOf, routePath, routesOf } from '../mutate/edges.ts';
import { after, instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { ask, isObject, type Json, jsonIn } from '../mutate/request.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('matches');

const taken = () => problem(409, 'already_exists');

/** Handles a creation whose match another route has. */
const again = (
  handle: (next: Service, request: ServiceRequest, edge: string, there: Json, body: Json) => Promise<ServiceResponse>,
): Mutate =>
  instead('createRoute', async (next, request, { path }) => {
    const response = await next(request);
    const body = jsonIn(request);
    if (response.status !== 409 || !isObject(body)) return response;
    const there = (await routesOf(next, request, path['edge_id']!)).find(
      ({ match, match_type }) => match === body['match'] && match_type === body['match_type'],
    );
    return there ? handle(next, request, path['edge_id']!, there, body) : response;
  });

/** A second route is added, as no one looks; `where` says for which matches. */
const unchecked = (where: (body: Json) => boolean): Mutate =>
  again(async (_, __, ___, there, body) =>
    where(body)
      ? showing({ status: 201, headers: { 'content-type': 'application/json' }, body: '' }, { ...there, id: 'second' })
      : taken(),
  );

/** Handles a change to the match of another route. */
const moving = (
  handle: (
    next: Service,
    request: ServiceRequest,
    target: { edge: string; id: string },
    patch: Json,
    there: Json | undefined,
  ) => Promise<ServiceResponse>,
): Mutate =>
  instead('updateRoute', async (next, request, { path }) => {
    const response = await next(request);
    const patch = jsonIn(request);
    if (response.status !== 409 || jsonOf(response).code !== 'already_exists' || !isObject(patch)) return response;
    const edge = path['edge_id']!;
    const routes = await routesOf(next, request, edge);
    const own = { ...routes.find(({ id }) => id === path['id']), ...patch };
    const there = routes.find(
      ({ id, match, match_type }) => id !== path['id'] && match === own['match'] && match_type === own['match_type'],
    );
    return handle(next, request, { edge, id: path['id']! }, patch, there);
  });

const uncheckedChange = (where: (patch: Json) => boolean): Mutate =>
  moving((next, request, { edge, id }, patch) =>
    where(patch) ? ask(next, request, 'GET', routePath(edge, id)) : Promise.resolve(taken()),
  );

/** Refuses a new route that is too much like another one of the edge. */
const tooAlike = (alike: (one: Json, other: Json) => boolean): Mutate =>
  instead('createRoute', async (next, request, { path }) => {
    const body = jsonIn(request);
    const isTaken =
      isObject(body) && (await routesOf(next, request, path['edge_id']!)).some((route) => alike(body, route));
    return isTaken ? taken() : next(request);
  });

const sameText = (change: (match: string) => string) =>
  tooAlike(
    (one, other) =>
      change(String(one['match'])) === change(String(other['match'])) && one['match_type'] === other['match_type'],
  );

/** Pairs are unique among the routes of all edges. */
const acrossEdges = (pairOf: (route: Json) => unknown): Mutate =>
  remembering(() => {
    const pairs = new Set<unknown>();
    return instead('createRoute', async (next, request) => {
      const body = jsonIn(request);
      if (isObject(body) && pairs.has(pairOf(body))) return taken();
      const response = await next(request);
      if (response.status === 201 && isObject(body)) pairs.add(pairOf(body));
      return response;
    });
  });

/** A change that names the match that the route has is refused, as somebody has it. */
const ownTaken = (isNamed: (patch: Json) => boolean): Mutate =>
  instead('updateRoute', async (next, request, { path }) => {
    const patch = jsonIn(request);
    const own =
      isObject(patch) && isNamed(patch) ? await routeOf(next, request, path['edge_id']!, path['id']!) : undefined;
    const { match, match_type } = { ...own, ...(patch as Json) };
    return own && match === own['match'] && match_type === own['match_type'] ? taken() : next(request);
  });

/** What a route had once stays taken. */
const neverFreed = (by: 'deleteRoute' | 'updateRoute'): Mutate =>
  remembering(() => {
    const left = new Set<string>();
    const keyOf = (edge: string, { match, match_type }: Json) => `${edge} ${match_type} ${match}`;
    return instead(['createRoute', by], async (next, request, { operationId, path }) => {
      const edge = path['edge_id']!;
      if (operationId === 'createRoute') {
        const body = jsonIn(request);
        return isObject(body) && left.has(keyOf(edge, body)) ? taken() : next(request);
      }
      const before = await routeOf(next, request, edge, path['id']!);
      const response = await next(request);
      const isLeft =
        operationId === 'deleteRoute'
          ? response.status === 204
          : response.status === 200 && before?.['match'] !== jsonOf(response).match;
      if (before && isLeft) left.add(keyOf(edge, before));
      return response;
    });
  });

const codeOf409 = (operation: 'createRoute' | 'updateRoute', to: () => ServiceResponse): Mutate =>
  after(operation, (response) =>
    response.status === 409 && jsonOf(response).code === 'already_exists' ? to() : response,
  );

const isPath = ({ match }: Json) => String(match).startsWith('/');

export const matches: Mutant[] = [
  mutant(
    'second-201',
    'routes.match.unique',
    'A route with the match of another one is created.',
    unchecked(() => true),
  ),
  mutant(
    'second-host-201',
    'routes.match.unique',
    'Matches are unique among paths only.',
    unchecked((body) => !isPath(body)),
  ),
  mutant(
    'second-wildcard-201',
    'routes.match.unique',
    'Matches with a wildcard are not unique.',
    unchecked(({ match }) => String(match).startsWith('*')),
  ),
  mutant(
    'second-prefix-201',
    'routes.match.unique',
    'Prefixes are not unique.',
    unchecked(({ match_type }) => match_type === 'path_prefix'),
  ),
  mutant(
    'second-exact-201',
    'routes.match.unique',
    'Exact paths are not unique.',
    unchecked(({ match_type }) => match_type === 'exact_path'),
  ),
  mutant(
    'second-200',
    'routes.match.unique',
    'Creating a route with the match of another one answers with that one.',
    again(async (_, __, ___, there) =>
      showing({ status: 200, headers: { 'content-type': 'application/json' }, body: '' }, there),
    ),
  ),
  mutant(
    'second-replaces',
    'routes.match.unique',
    'Creating a route with the match of another one changes that one.',
    again(async (next, request, edge, there, body) => ({
      ...(await ask(next, request, 'PATCH', routePath(edge, String(there['id'])), body)),
      status: 201,
    })),
  ),
  mutant(
    'second-refused-and-replaces',
    'routes.match.unique',
    'Creating a route with the match of another one is refused once that one was changed.',
    again(async (next, request, edge, there, body) => {
      await ask(next, request, 'PATCH', routePath(edge, String(there['id'])), body);
      return taken();
    }),
  ),
  mutant(
    'second-400',
    'routes.match.unique',
    'A route with the match of another one is refused with 400.',
    codeOf409('createRoute', () =>
      problem(400, 'invalid_request', { errors: [{ pointer: '/match', code: 'duplicate', detail: 'It is there.' }] }),
    ),
  ),
  mutant(
    'second-500',
    'routes.match.unique',
    'A route with the match of another one fails with 500, as of a constraint that nobody catches.',
    codeOf409('createRoute', () => problem(500, 'internal_error')),
  ),
  mutant(
    'second-conflict',
    'routes.match.unique',
    'A route with the match of another one is refused with the code `conflict`.',
    codeOf409('createRoute', () => problem(409, 'conflict')),
  ),

  mutant(
    'change-200',
    'routes.match.unique-on-update',
    'A route is given the match of another one.',
    uncheckedChange(() => true),
  ),
  mutant(
    'change-of-type-200',
    'routes.match.unique-on-update',
    'Matches are compared only when a change names `match`.',
    uncheckedChange(({ match }) => match === undefined),
  ),
  mutant(
    'change-of-match-200',
    'routes.match.unique-on-update',
    'Matches are compared only when a change names `match_type`.',
    uncheckedChange(({ match_type }) => match_type === undefined),
  ),
  mutant(
    'change-of-both-200',
    'routes.match.unique-on-update',
    'Matches are not compared when a change names both halves.',
    uncheckedChange(({ match, match_type }) => match !== undefined && match_type !== undefined),
  ),
  mutant(
    'change-ignores-match',
    'routes.match.unique-on-update',
    'A change to the match of another route is done without the match.',
    moving((next, request, { edge, id }, patch) =>
      ask(next, request, 'PATCH', routePath(edge, id), without(patch, 'match', 'match_type')),
    ),
  ),
  mutant(
    'change-refused-in-part',
    'routes.match.unique-on-update',
    'A change to the match of another route is refused after the rest of it was stored.',
    moving(async (next, request, { edge, id }, patch) => {
      await ask(next, request, 'PATCH', routePath(edge, id), without(patch, 'match', 'match_type'));
      return taken();
    }),
  ),
  mutant(
    'change-takes-over',
    'routes.match.unique-on-update',
    'A change to the match of another route deletes that one.',
    moving(async (next, request, { edge }, _, there) => {
      if (there) await ask(next, request, 'DELETE', routePath(edge, String(there['id'])));
      return next(request);
    }),
  ),
  mutant(
    'change-400',
    'routes.match.unique-on-update',
    'A change to the match of another route is refused with 400.',
    codeOf409('updateRoute', () =>
      problem(400, 'invalid_request', { errors: [{ pointer: '/match', code: 'duplicate', detail: 'It is there.' }] }),
    ),
  ),
  mutant(
    'change-conflict',
    'routes.match.unique-on-update',
    'A change to the match of another route is refused with the code `conflict`.',
    codeOf409('updateRoute', () => problem(409, 'conflict')),
  ),

  mutant(
    'unique-everywhere',
    'routes.match.other-edge',
    'Matches are unique among the routes of all edges.',
    acrossEdges(({ match, match_type }) => `${match_type} ${match}`),
  ),
  mutant(
    'hosts-unique-everywhere',
    'routes.match.other-edge',
    'Hosts are unique among the routes of all edges.',
    acrossEdges((route) => (isPath(route) ? {} : route['match'])),
  ),
  mutant(
    'moves-to-new-edge',
    'routes.match.other-edge',
    'A route with the match of one of another edge takes its place.',
    remembering(() => {
      const there = new Map<string, string>();
      return instead('createRoute', async (next, request) => {
        const response = await next(request);
        if (response.status !== 201) return response;
        const { match, match_type, edge_id, id } = jsonOf(response);
        const old = there.get(`${match_type} ${match}`);
        if (old !== undefined) await ask(next, request, 'DELETE', old);
        there.set(`${match_type} ${match}`, routePath(edge_id, id));
        return response;
      });
    }),
  ),

  mutant(
    'type-does-not-count',
    'routes.match.other-type',
    'Routes with the same match and different match types are refused.',
    tooAlike((one, other) => one['match'] === other['match']),
  ),
  mutant(
    'prefix-covers',
    'routes.match.other-type',
    'A route whose match begins with that of another one is refused.',
    tooAlike((one, other) => String(one['match']).startsWith(String(other['match']))),
  ),
  mutant(
    'hosts-of-any-type',
    'routes.match.other-type',
    'A host is unique whatever the match type.',
    tooAlike((one, other) => !isPath(one) && one['match'] === other['match']),
  ),
  mutant(
    'other-type-replaces',
    'routes.match.other-type',
    'A route with the match of another one takes its place, whatever the match type.',
    instead('createRoute', async (next, request, { path }) => {
      const old = await routesOf(next, request, path['edge_id']!);
      const response = await next(request);
      const same = response.status === 201 ? old.filter(({ match }) => match === jsonOf(response).match) : [];
      for (const { id } of same) await ask(next, request, 'DELETE', routePath(path['edge_id']!, String(id)));
      return response;
    }),
  ),

  mutant(
    'case-does-not-count',
    'routes.match.as-text',
    'Matches that differ in case are the same.',
    sameText((match) => match.toLowerCase()),
  ),
  mutant(
    'final-slash-does-not-count',
    'routes.match.as-text',
    'Matches that differ in the slash at their end are the same.',
    sameText((match) => match.replace(/\/$/, '')),
  ),
  mutant(
    'escapes-do-not-count',
    'routes.match.as-text',
    'Matches that differ in percent-escapes are the same.',
    sameText((match) => decodeURI(match)),
  ),
  mutant(
    'accents-do-not-count',
    'routes.match.as-text',
    'Matches that differ in accents are the same, as in many a database.',
    sameText((match) => match.normalize('NFD').replaceAll(/\p{M}/gu, '')),
  ),
  mutant(
    'normal-form-does-not-count',
    'routes.match.as-text',
    'Matches that differ in their normal form are the same.',
    sameText((match) => match.normalize('NFC')),
  ),

  mutant(
    'own-pair-409',
    'routes.match.own',
    'A change that names the match of the route itself is refused.',
    ownTaken(({ match, match_type }) => match !== undefined && match_type !== undefined),
  ),
  mutant(
    'own-match-409',
    'routes.match.own',
    'A change that names the `match` of the route alone is refused.',
    ownTaken(({ match, match_type }) => match !== undefined && match_type === undefined),
  ),
  mutant(
    'own-type-409',
    'routes.match.own',
    'A change that names the `match_type` of the route alone is refused.',
    ownTaken(({ match, match_type }) => match === undefined && match_type !== undefined),
  ),
  mutant(
    'own-ends-change',
    'routes.match.own',
    'A change that names the match of the route itself changes nothing else.',
    instead('updateRoute', async (next, request, { path }) => {
      const patch = jsonIn(request);
      const own = await routeOf(next, request, path['edge_id']!, path['id']!);
      return own && isObject(patch) && patch['match'] === own['match']
        ? ask(next, request, 'GET', routePath(path['edge_id']!, path['id']!))
        : next(request);
    }),
  ),

  mutant(
    'deleted-stays-taken',
    'routes.match.freed',
    'The match of a route that was deleted stays taken.',
    neverFreed('deleteRoute'),
  ),
  mutant(
    'left-stays-taken',
    'routes.match.freed',
    'The match that a route has left stays taken.',
    neverFreed('updateRoute'),
  ),
  mutant(
    'return-200',
    'routes.match.freed',
    'A route may go back to its first match, whoever has it now.',
    remembering(() => {
      const first = new Map<string, unknown>();
      return instead(['createRoute', 'updateRoute'], async (next, request, { operationId, path }) => {
        const response = await next(request);
        if (operationId === 'createRoute' && response.status === 201)
          first.set(jsonOf(response).id, jsonOf(response).match);
        const isBack =
          operationId === 'updateRoute' &&
          response.status === 409 &&
          first.get(path['id']!) === (jsonIn(request) as Json)['match'];
        return isBack ? ask(next, request, 'GET', routePath(path['edge_id']!, path['id']!)) : response;
      });
    }),
  ),
];
