/** Routes that read, alone or on their edge, otherwise than they were written. */
import { type Mutant, mutantsOf } from '../mutant.ts';
import { jsonOf, problem, showing } from '../mutate/response.ts';
import { showingRoutes } from '../mutate/edges.ts';
import { both, done, instead, type Mutate, remembering, showingAs, taking } from '../mutate/mutate.ts';
import { isObject, type Json, jsonIn } from '../mutate/request.ts';
import { without } from '../mutate/values.ts';

const mutant = mutantsOf('routes');

/** What is kept of a new route is something else than what was sent. */
const kept = (change: (body: Json) => Json): Mutate =>
  taking('createRoute', (body) => (isObject(body) ? change(body) : body));
const keptMatch = (change: (match: string) => string): Mutate =>
  kept((body) => (typeof body['match'] === 'string' ? { ...body, match: change(body['match']) } : body));
const keptText = (change: (text: string) => string): Mutate =>
  kept((body) =>
    typeof body['description'] === 'string' ? { ...body, description: change(body['description']) } : body,
  );

const read = (change: (route: Json) => Json): Mutate => showingAs('getRoute', change);

/** Routes as their edge shows them. */
const onEdge = (change: (routes: Json[]) => Json[]): Mutate =>
  showingAs('getEdge', (edge: Json) => ({ ...edge, routes: change(edge['routes'] as Json[]) }));

const by = (name: string) => (one: Json, other: Json) => (String(one[name]) < String(other[name]) ? -1 : 1);

/** Reads answer what was so one moment ago. */
const lateOnEdge: Mutate = remembering(() => {
  let last: string | undefined;
  return done(['createRoute', 'getEdge'], (response, _, { operationId }) => {
    const value = jsonOf(response);
    if (operationId === 'createRoute') {
      last = value.id;
      return response;
    }
    const late = last;
    last = undefined;
    return showing(response, { ...value, routes: value.routes.filter(({ id }: Json) => id !== late) });
  });
});

/** The order of routes follows what was done to them. */
const movedByChange: Mutate = remembering(() => {
  let changes = 0;
  const changed = new Map<string, number>();
  const when = ({ id }: Json) => changed.get(String(id)) ?? 0;
  const remember = done('updateRoute', (response) => {
    changed.set(jsonOf(response).id, ++changes);
    return response;
  });
  return both(
    remember,
    onEdge((routes) => routes.toSorted((one, other) => when(one) - when(other))),
  );
});

/** The last route takes the place of one that is deleted, as removing from a list is done when order does not count. */
const swappedByDeletion: Mutate = remembering(() => {
  const orders = new Map<string, string[]>();
  return instead(['createRoute', 'deleteRoute', 'getEdge'], async (next, request, { operationId, path }) => {
    const response = await next(request);
    const order = orders.get(path['edge_id'] ?? path['id']!) ?? [];
    if (operationId === 'createRoute' && response.status === 201)
      orders.set(path['edge_id']!, [...order, jsonOf(response).id]);
    if (operationId === 'deleteRoute' && response.status === 204) {
      const last = order.at(-1)!;
      orders.set(
        path['edge_id']!,
        order.slice(0, -1).map((id) => (id === path['id'] ? last : id)),
      );
    }
    if (operationId !== 'getEdge' || response.status !== 200) return response;
    const edge = jsonOf(response);
    return showing(response, {
      ...edge,
      routes: edge.routes.toSorted(
        (one: Json, other: Json) => order.indexOf(String(one['id'])) - order.indexOf(String(other['id'])),
      ),
    });
  });
});

/** The free place of a deleted route is given to the next one. */
const fillsGaps: Mutate = remembering(() => {
  const orders = new Map<string, (string | undefined)[]>();
  return instead(['createRoute', 'deleteRoute', 'getEdge'], async (next, request, { operationId, path }) => {
    const response = await next(request);
    const order = orders.get(path['edge_id'] ?? path['id']!) ?? [];
    if (operationId === 'createRoute' && response.status === 201) {
      const gap = order.indexOf(undefined);
      const { id } = jsonOf(response);
      orders.set(path['edge_id']!, gap < 0 ? [...order, id] : order.with(gap, id));
    }
    if (operationId === 'deleteRoute' && response.status === 204)
      orders.set(
        path['edge_id']!,
        order.map((id) => (id === path['id'] ? undefined : id)),
      );
    if (operationId !== 'getEdge' || response.status !== 200) return response;
    const edge = jsonOf(response);
    return showing(response, {
      ...edge,
      routes: edge.routes.toSorted(
        (one: Json, other: Json) => order.indexOf(String(one['id'])) - order.indexOf(String(other['id'])),
      ),
    });
  });
});

export const routes: Mutant[] = [
  mutant(
    'description-lost',
    'routes.echo',
    'The description of a new route is not kept.',
    kept((body) => without(body, 'description')),
  ),
  mutant(
    'metadata-lost',
    'routes.echo',
    'Metadata of a new route are not kept.',
    kept((body) => without(body, 'metadata')),
  ),
  mutant(
    'texts-swapped',
    'routes.echo',
    'Description and metadata of a route are swapped in answers.',
    showingRoutes((route) => ({ ...route, description: route['metadata'], metadata: route['description'] })),
  ),
  mutant(
    'trims',
    'routes.echo',
    'White space around the description of a route is removed.',
    keptText((text) => text.trim()),
  ),
  mutant(
    'nfc',
    'routes.echo',
    'The description of a route is normalised to NFC.',
    keptText((text) => text.normalize('NFC')),
  ),
  mutant(
    'html-escape',
    'routes.echo',
    'The description of a route is escaped for HTML.',
    keptText((text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').slice(0, 255)),
  ),
  mutant(
    'drops-nul',
    'routes.echo',
    'NUL in the description of a route is dropped.',
    keptText((text) => text.replaceAll('\0', '')),
  ),
  mutant(
    'match-lower-case',
    'routes.echo',
    'A match is turned into lower case.',
    keptMatch((match) => match.toLowerCase()),
  ),
  mutant(
    'match-host-lower-case',
    'routes.echo',
    'The host of a match is turned into lower case.',
    keptMatch((match) => match.replace(/^[^/]+/, (host) => host.toLowerCase())),
  ),
  mutant(
    'match-trailing-slash',
    'routes.echo',
    'The slash at the end of a match is removed.',
    keptMatch((match) => match.replace(/(.)\/$/, '$1')),
  ),
  mutant(
    'match-double-slash',
    'routes.echo',
    'Slashes of a match that follow each other become one.',
    keptMatch((match) => match.replaceAll(/\/+/g, '/')),
  ),
  mutant(
    'match-dots',
    'routes.echo',
    'Segments of dots in a match are resolved.',
    keptMatch((match) => (match.startsWith('/') ? decoded(new URL(match, 'http://a').pathname) : match)),
  ),
  mutant('match-decoded', 'routes.echo', 'Percent-escapes in a match are decoded.', keptMatch(decoded)),
  mutant(
    'match-encoded',
    'routes.echo',
    'A match is percent-encoded.',
    keptMatch((match) => encodeURI(match).slice(0, 1024)),
  ),
  mutant(
    'match-root-added',
    'routes.echo',
    'A host alone is given a path.',
    keptMatch((match) => (match.includes('/') ? match : `${match}/`)),
  ),
  mutant(
    'match-wildcard',
    'routes.echo',
    'The wildcard of a host is dropped.',
    keptMatch((match) => match.replace(/^\*\./, '')),
  ),
  mutant(
    'match-type-ignored',
    'routes.echo',
    '`match_type` of a new route is not taken.',
    kept((body) => (body['match_type'] === 'exact_path' ? { ...body, match_type: 'path_prefix' } : body)),
  ),
  mutant(
    'module-lost',
    'routes.echo',
    'A module of a new route is not kept.',
    kept((body) => without(body, 'user_agent_filter')),
  ),
  mutant(
    'not-shown-when-created',
    'routes.echo',
    'A new route shows no modules in the answer to its creation.',
    showingAs('createRoute', (route) => ({ ...route, backend: null, compression: null })),
  ),
  mutant(
    'answers-sent',
    'routes.echo',
    'A creation answers with what was sent beside the id.',
    done('createRoute', (response, request) => {
      const { id, uri, created_at, edge_id } = jsonOf(response);
      return showing(response, { id, uri, created_at, edge_id, ...(jsonIn(request) as Json) });
    }),
  ),

  mutant(
    'read-loses-description',
    'routes.read-your-write',
    'The description of a route is not read.',
    read((route) => ({ ...route, description: '' })),
  ),
  mutant(
    'read-loses-module',
    'routes.read-your-write',
    'A module of a route is not read.',
    read((route) => ({ ...route, backend: null })),
  ),
  mutant(
    'read-enables',
    'routes.read-your-write',
    'A module of a route that is disabled reads as enabled.',
    read((route) =>
      Object.fromEntries(
        Object.entries(route).map(([name, value]) => [
          name,
          isObject(value) && value['enabled'] === false ? { ...value, enabled: true } : value,
        ]),
      ),
    ),
  ),
  mutant(
    'read-match-type',
    'routes.read-your-write',
    '`match_type` of a route reads as the more frequent one.',
    read((route) => ({ ...route, match_type: 'path_prefix' })),
  ),
  mutant(
    'read-cuts-created-at',
    'routes.read-your-write',
    '`created_at` of a route reads as the beginning of its day.',
    read((route) => ({ ...route, created_at: `${String(route['created_at']).slice(0, 10)}T00:00:00Z` })),
  ),
  mutant(
    'read-of-first',
    'routes.read-your-write',
    'The first route that was created is read for all.',
    remembering(() => {
      let first: Json | undefined;
      return done(['createRoute', 'getRoute'], (response, _, { operationId }) => {
        first ??= jsonOf(response);
        return operationId === 'getRoute' ? showing(response, first) : response;
      });
    }),
  ),
  mutant(
    'read-later',
    'routes.read-your-write',
    'A route is found from its second reading on.',
    remembering(() => {
      const isFirst = new Set<string>();
      return done(['createRoute', 'getRoute'], (response, _, { operationId, path }) => {
        if (operationId === 'createRoute') isFirst.add(jsonOf(response).id);
        else if (isFirst.delete(path['id']!)) return problem(404, 'not_found');
        return response;
      });
    }),
  ),

  mutant(
    'edge-without',
    'routes.on-edge',
    'An edge shows no routes.',
    onEdge(() => []),
  ),
  mutant('edge-late', 'routes.on-edge', 'An edge shows a new route from its second reading on.', lateOnEdge),
  mutant(
    'edge-refs',
    'routes.on-edge',
    'An edge shows ids of its routes alone.',
    onEdge((all) => all.map(({ id, uri }) => ({ id, uri }))),
  ),
  mutant(
    'edge-without-modules',
    'routes.on-edge',
    'An edge shows its routes without `saml`.',
    onEdge((all) => all.map((route) => ({ ...route, saml: null, oauth: null, oidc: null }))),
  ),
  mutant(
    'edge-without-texts',
    'routes.on-edge',
    'An edge shows its routes without their metadata.',
    onEdge((all) => all.map((route) => ({ ...route, metadata: '' }))),
  ),
  mutant(
    'edge-other-uri',
    'routes.on-edge',
    'An edge shows its routes with another `uri` than they have.',
    onEdge((all) => all.map((route) => ({ ...route, uri: `${route['uri']}/` }))),
  ),
  mutant(
    'edge-twice',
    'routes.on-edge',
    'An edge shows its last route twice.',
    onEdge((all) => [...all, ...all.slice(-1)]),
  ),
  mutant(
    'edge-cached',
    'routes.on-edge',
    'An edge reads as it was created, without routes.',
    remembering(() => {
      const created = new Map<string, Json>();
      return done(['createEdge', 'getEdge'], (response, _, { operationId, path }) => {
        if (operationId === 'createEdge') created.set(jsonOf(response).id, jsonOf(response));
        return operationId === 'getEdge' && created.has(path['id']!)
          ? showing(response, created.get(path['id']!))
          : response;
      });
    }),
  ),

  mutant(
    'newest-first',
    'routes.order',
    'An edge shows its newest route first.',
    onEdge((all) => all.toReversed()),
  ),
  mutant(
    'by-match',
    'routes.order',
    'An edge shows its routes by match.',
    onEdge((all) => all.toSorted(by('match'))),
  ),
  mutant(
    'by-id',
    'routes.order',
    'An edge shows its routes by id.',
    onEdge((all) => all.toSorted(by('id'))),
  ),
  mutant('change-moves', 'routes.order', 'A route that is changed becomes the last one.', movedByChange),
  mutant('deletion-swaps', 'routes.order', 'The last route takes the place of one that is deleted.', swappedByDeletion),
  mutant('fills-gaps', 'routes.order', 'A new route takes the place of one that was deleted.', fillsGaps),
  mutant(
    'by-length',
    'routes.order',
    'An edge shows its routes by the length of the match, the longest first.',
    onEdge((all) => all.toSorted((one, other) => String(other['match']).length - String(one['match']).length)),
  ),
];

function decoded(match: string): string {
  try {
    const plain = decodeURIComponent(match);
    return /[\0-\u0020?#\u007f]/.test(plain) ? match : plain;
  } catch {
    return match;
  }
}
