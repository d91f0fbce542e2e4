/** Matches of routes that are compared in another way, or with other routes, than the contract says. */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { jsonOf, problem, showing } from '../mutate/response.ts';
import { routeOf, routePath, routesOf } from '../mutate/edges.ts';
import { instead, type Mutate, remembering } from '../mutate/mutate.ts';
import { ask, isObject, type Json, jsonIn } from '../mutate/request.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('matches', 'extended');

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

export const matches: Mutant[] = [
  mutant(
    'second-wildcard-201',
    'Matches with a wildcard are not unique.',
    unchecked(({ match }) => String(match).startsWith('*')),
  ),
  mutant(
    'second-replaces',
    'Creating a route with the match of another one changes that one.',
    again(async (next, request, edge, there, body) => ({
      ...(await ask(next, request, 'PATCH', routePath(edge, String(there['id'])), body)),
      status: 201,
    })),
  ),
  mutant(
    'second-refused-and-replaces',
    'Creating a route with the match of another one is refused once that one was changed.',
    again(async (next, request, edge, there, body) => {
      await ask(next, request, 'PATCH', routePath(edge, String(there['id'])), body);
      return taken();
    }),
  ),
  mutant(
    'change-of-type-200',
    'Matches are compared only when a change names `match`.',
    uncheckedChange(({ match }) => match === undefined),
  ),
  mutant(
    'change-of-match-200',
    'Matches are compared only when a change names `match_type`.',
    uncheckedChange(({ match_type }) => match_type === undefined),
  ),
  mutant(
    'change-refused-in-part',
    'A change to the match of another route is refused after the rest of it was stored.',
    moving(async (next, request, { edge, id }, patch) => {
      await ask(next, request, 'PATCH', routePath(edge, id), without(patch, 'match', 'match_type'));
      return taken();
    }),
  ),
  mutant(
    'change-takes-over',
    'A change to the match of another route deletes that one.',
    moving(async (next, request, { edge }, _, there) => {
      if (there) await ask(next, request, 'DELETE', routePath(edge, String(there['id'])));
      return next(request);
    }),
  ),

  mutant(
    'unique-everywhere',
    'Matches are unique among the routes of all edges.',
    acrossEdges(({ match, match_type }) => `${match_type} ${match}`),
  ),
  mutant(
    'moves-to-new-edge',
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
    'Routes with the same match and different match types are refused.',
    tooAlike((one, other) => one['match'] === other['match']),
  ),
  mutant(
    'prefix-covers',
    'A route whose match begins with that of another one is refused.',
    tooAlike((one, other) => String(one['match']).startsWith(String(other['match']))),
  ),

  mutant(
    'case-does-not-count',
    'Matches that differ in case are the same.',
    sameText((match) => match.toLowerCase()),
  ),
  mutant(
    'final-slash-does-not-count',
    'Matches that differ in the slash at their end are the same.',
    sameText((match) => match.replace(/\/$/, '')),
  ),
  mutant(
    'escapes-do-not-count',
    'Matches that differ in percent-escapes are the same.',
    sameText((match) => decodeURI(match)),
  ),
  mutant(
    'normal-form-does-not-count',
    'Matches that differ in their normal form are the same.',
    sameText((match) => match.normalize('NFC')),
  ),

  mutant(
    'own-pair-409',
    'A change that names the match of the route itself is refused.',
    ownTaken(({ match, match_type }) => match !== undefined && match_type !== undefined),
  ),
  mutant(
    'own-match-409',
    'A change that names the `match` of the route alone is refused.',
    ownTaken(({ match, match_type }) => match !== undefined && match_type === undefined),
  ),
  mutant(
    'own-type-409',
    'A change that names the `match_type` of the route alone is refused.',
    ownTaken(({ match, match_type }) => match === undefined && match_type !== undefined),
  ),
  mutant(
    'own-ends-change',
    'A change that names the match of the route itself changes nothing else.',
    instead('updateRoute', async (next, request, { path }) => {
      const patch = jsonIn(request);
      const own = await routeOf(next, request, path['edge_id']!, path['id']!);
      return own && isObject(patch) && patch['match'] === own['match']
        ? ask(next, request, 'GET', routePath(path['edge_id']!, path['id']!))
        : next(request);
    }),
  ),

  mutant('deleted-stays-taken', 'The match of a route that was deleted stays taken.', neverFreed('deleteRoute')),
  mutant('left-stays-taken', 'The match that a route has left stays taken.', neverFreed('updateRoute')),
  mutant(
    'return-200',
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
