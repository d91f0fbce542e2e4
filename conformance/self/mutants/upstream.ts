/** Edges that pass TLS through, and take what they should not, or do not take what they should (D09). */
import type { Mutant } from '../mutant.ts';
import { mutantsOf } from './define.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { jsonOf, problem } from '../mutate/response.ts';
import { edgeIdOf, edgeOf, edgePath, isUpstream, overlooking, routePath, routesOf } from '../mutate/edges.ts';
import type { OperationId } from '../mutate/operation.ts';
import { instead, type Mutate, remembering, showingAs, taking } from '../mutate/mutate.ts';
import { refusedInPart } from '../mutate/refused-in-part.ts';
import { ask, isObject, type Json, jsonIn, sending } from '../mutate/request.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('upstream', 'extended');

const DISALLOWED = [
  'circuit_breaker',
  'compression',
  'request_headers',
  'response_headers',
  'webhook_verification',
  'oauth',
  'saml',
  'oidc',
  'websocket_tcp_converter',
  'user_agent_filter',
  'traffic_policy',
] as const;

const conflict = () => problem(409, 'conflict');
const invalid = (pointer: string) =>
  problem(400, 'invalid_request', { errors: [{ pointer, code: 'conflict', detail: 'It does not go together.' }] });

const isSet = (value: unknown) => value !== null && value !== undefined;
const disallowedIn = (route: Json) => DISALLOWED.filter((name) => isSet(route[name]));
const isEnabled = (module: unknown) => isObject(module) && module['enabled'] !== false;
const switches = (patch: unknown) => isObject(patch) && isUpstream(patch);
const routesIn = (edge: Json) => edge['routes'] as Json[];

/** Takes a refused request without what is in the way, and says nothing of it. */
const silently = (operation: 'createRoute' | 'updateRoute', change: (body: Json) => Json): Mutate =>
  instead(operation, async (next, request) => {
    const response = await next(request);
    const body = jsonIn(request);
    return response.status === 409 && isObject(body) ? next(sending(request, change(body))) : response;
  });

/** Refuses as it should, once a part was stored. */
const partly = (operation: OperationId, part: (body: Json) => Json): Mutate => refusedInPart(operation, 409, part);

/** Refuses more than it should, given the edge as it is. */
const refusing = (
  operation: OperationId,
  is: (body: Json, edge: Json) => boolean,
  refusal: () => ServiceResponse = conflict,
): Mutate =>
  instead(operation, async (next, request, call) => {
    const body = jsonIn(request);
    const edge = isObject(body) ? await edgeOf(next, request, edgeIdOf(call)!) : undefined;
    return edge && is(body as Json, edge) ? refusal() : next(request);
  });

/** Removes what is in the way of a switch, and switches. */
const clearing = (clear: (next: Service, request: ServiceRequest, edge: Json) => Promise<unknown>): Mutate =>
  instead('updateEdge', async (next, request, { path }) => {
    const response = await next(request);
    const edge = response.status === 409 ? await edgeOf(next, request, path['id']!) : undefined;
    if (!edge) return response;
    await clear(next, request, edge);
    return next(request);
  });

const removingModules = clearing(async (next, request, edge) => {
  const nothing = Object.fromEntries(DISALLOWED.map((name) => [name, null]));
  for (const { id } of routesIn(edge))
    await ask(next, request, 'PATCH', routePath(String(edge['id']), String(id)), nothing);
});

/** Modules that a route had once still count when its edge is switched. */
const everHad = (until: 'patched' | 'deleted'): Mutate =>
  remembering(() => {
    const edges = new Set<string>();
    return instead(
      ['createRoute', 'updateRoute', 'deleteRoute', 'updateEdge'],
      async (next, request, { operationId, path }) => {
        if (operationId === 'updateEdge' && edges.has(path['id']!) && switches(jsonIn(request))) return conflict();
        const before =
          operationId === 'deleteRoute' || operationId === 'updateRoute'
            ? (await routesOf(next, request, path['edge_id']!)).find(({ id }) => id === path['id'])
            : undefined;
        const response = await next(request);
        if (operationId === 'updateRoute' && until === 'patched' && before && disallowedIn(before).length > 0)
          edges.add(path['edge_id']!);
        if (operationId === 'deleteRoute' && until === 'deleted' && before && disallowedIn(before).length > 0)
          edges.add(path['edge_id']!);
        return response;
      },
    );
  });

/** That an edge was switched once is never forgotten. */
const onceSwitched = (refuse: OperationId, is: (body: Json) => boolean): Mutate =>
  remembering(() => {
    const edges = new Set<string>();
    return instead(['createEdge', 'updateEdge', 'updateRoute'], async (next, request, call) => {
      const body = jsonIn(request);
      if (call.operationId === refuse && edges.has(edgeIdOf(call)!) && isObject(body) && is(body)) return conflict();
      const response = await next(request);
      if (call.operationId !== 'updateRoute' && response.status < 300 && isUpstream(jsonOf(response)))
        edges.add(jsonOf(response).id);
      return response;
    });
  });

/** A switched edge is not switched back by this. */
const staysSwitched = (is: (tls: unknown) => boolean, change: (patch: Json) => Json): Mutate =>
  instead('updateEdge', async (next, request, { path }) => {
    const patch = jsonIn(request);
    if (!isObject(patch) || !('tls_termination' in patch) || !is(patch['tls_termination'])) return next(request);
    return isUpstream(await edgeOf(next, request, path['id']!)) ? next(sending(request, change(patch))) : next(request);
  });

export const upstream: Mutant[] = [
  mutant(
    'create-unchecked',
    'A new route of an edge that passes TLS through takes every module.',
    overlooking('createRoute', () => true),
  ),
  mutant(
    'create-disabled',
    'A new route of an edge that passes TLS through takes modules that are disabled.',
    overlooking('createRoute', (body) => disallowedIn(body).every((name) => !isEnabled(body[name]))),
  ),
  mutant(
    'create-dropped',
    'Modules that an edge does not allow are dropped from a new route.',
    silently('createRoute', (body) => without(body, ...DISALLOWED)),
  ),
  mutant(
    'create-refused-in-part',
    'A new route with a module that its edge does not allow is refused after it was created without.',
    partly('createRoute', (body) => without(body, ...DISALLOWED)),
  ),
  mutant(
    'update-unchecked',
    'Modules are looked at only when a route is created.',
    overlooking('updateRoute', () => true),
  ),
  mutant(
    'update-refused-in-part',
    'A change with a module that the edge does not allow is refused after the rest was stored.',
    partly('updateRoute', (body) => without(body, ...DISALLOWED)),
  ),
  mutant(
    'nulls-refused',
    'Null for a module that the edge does not allow is refused.',
    refusing('createRoute', (body, edge) => isUpstream(edge) && DISALLOWED.some((name) => name in body)),
  ),

  mutant(
    'switch-unchecked',
    'An edge is switched whatever its routes have.',
    overlooking('updateEdge', (_, edge) => routesIn(edge).length > 0),
  ),
  mutant(
    'switch-first-route',
    'Only the first route is looked at when an edge is switched.',
    overlooking('updateEdge', (_, edge) => routesIn(edge).length > 0 && disallowedIn(routesIn(edge)[0]!).length === 0),
  ),
  mutant(
    'switch-disabled',
    'Only modules that are enabled are looked at when an edge is switched.',
    overlooking(
      'updateEdge',
      (_, edge) =>
        routesIn(edge).length > 0 &&
        routesIn(edge).every((route) => disallowedIn(route).every((name) => !isEnabled(route[name]))),
    ),
  ),
  mutant('switch-removes-modules', 'Switching an edge takes the modules from its routes.', removingModules),
  mutant(
    'switch-refused-in-part',
    'A switch is refused after the rest of the change was stored.',
    partly('updateEdge', (patch) => without(patch, 'tls_termination', 'mutual_tls')),
  ),

  mutant(
    'mutual-tls-switched',
    'An edge with `mutual_tls` is switched.',
    overlooking('updateEdge', (patch, edge) => switches(patch) && isSet(edge['mutual_tls'])),
  ),
  mutant(
    'mutual-tls-added',
    'An edge that passes TLS through is given `mutual_tls`.',
    overlooking('updateEdge', (patch) => !switches(patch)),
  ),
  mutant(
    'mutual-tls-disabled-switched',
    'An edge with `mutual_tls` that is disabled is switched.',
    overlooking(
      'updateEdge',
      (patch, edge) => switches(patch) && isObject(edge['mutual_tls']) && !isEnabled(edge['mutual_tls']),
    ),
  ),
  mutant(
    'mutual-tls-switches-back',
    'Setting `mutual_tls` ends that TLS is passed through.',
    clearing((next, request, edge) =>
      ask(next, request, 'PATCH', edgePath(String(edge['id'])), { tls_termination: null }),
    ),
  ),

  mutant(
    'together-checked-before',
    'A switch is refused by the `mutual_tls` that the same change takes away.',
    refusing('updateEdge', (patch, edge) => switches(patch) && isSet(edge['mutual_tls'])),
  ),
  mutant(
    'together-back-checked-before',
    '`mutual_tls` is refused by the `tls_termination` that the same change replaces.',
    refusing('updateEdge', (patch, edge) => isUpstream(edge) && isObject(patch['mutual_tls'])),
  ),
  mutant(
    'together-null-is-upstream',
    'Taking `tls_termination` away does not make room for `mutual_tls`.',
    refusing(
      'updateEdge',
      (patch, edge) => isUpstream(edge) && isObject(patch['mutual_tls']) && patch['tls_termination'] === null,
    ),
  ),
  mutant(
    'together-named-400',
    '`mutual_tls` beside a switch is refused, even null.',
    refusing(
      'updateEdge',
      (patch) => switches(patch) && 'mutual_tls' in patch,
      () => invalid('/mutual_tls'),
    ),
  ),
  mutant(
    'together-one-only',
    'Of two modules in one change, only `tls_termination` is taken.',
    taking('updateEdge', (patch) =>
      isObject(patch) && isObject(patch['tls_termination']) && isObject(patch['mutual_tls'])
        ? without(patch, 'mutual_tls')
        : patch,
    ),
  ),
  mutant(
    'removed-in-the-way',
    'A module that a route had before it was removed is in the way of a switch.',
    everHad('patched'),
  ),
  mutant('deleted-in-the-way', 'A route that was deleted is in the way of a switch.', everHad('deleted')),
  mutant(
    'switch-clears-routes',
    'Switching an edge takes `ip_restriction` from its routes.',
    instead('updateEdge', async (next, request, { path }) => {
      const response = await next(request);
      if (response.status !== 200 || !switches(jsonIn(request))) return response;
      for (const { id } of await routesOf(next, request, path['id']!))
        await ask(next, request, 'PATCH', routePath(path['id']!, String(id)), { ip_restriction: null });
      return response;
    }),
  ),
  mutant(
    'switch-keeps-min-version',
    'A switched edge shows a `min_version`.',
    showingAs('updateEdge', (edge) =>
      isUpstream(edge) ? { ...edge, tls_termination: { ...edge.tls_termination, min_version: '1.2' } } : edge,
    ),
  ),

  mutant(
    'never-back',
    'An edge that passes TLS through is never switched back.',
    refusing('updateEdge', (patch, edge) => isUpstream(edge) && isObject(patch['tls_termination']) && !switches(patch)),
  ),
  mutant(
    'back-merged',
    '`terminate_at` that is left out stays `upstream`.',
    staysSwitched(
      (tls) => isObject(tls) && tls['terminate_at'] === undefined,
      (patch) => ({ ...patch, tls_termination: { ...(patch['tls_termination'] as Json), terminate_at: 'upstream' } }),
    ),
  ),
  mutant(
    'back-routes-stay-limited',
    'Routes of an edge that once passed TLS through never take other modules.',
    onceSwitched('updateRoute', (body) => disallowedIn(body).length > 0),
  ),
  mutant(
    'back-no-mutual-tls',
    'An edge that once passed TLS through never takes `mutual_tls`.',
    onceSwitched('updateEdge', (body) => isObject(body['mutual_tls'])),
  ),
];
