/** Routes, which the edge that they belong to shows. */
import fc from 'fast-check';
import { UNCHANGED } from '../../engine/laws/refused.ts';
import type { Rules } from '../../engine/laws/index.ts';
import type { Json, Place, Resource } from '../../engine/laws/resource.ts';
import { patched, shownRoute } from '../model/route.ts';
import { acceptable } from '../values/edge-values.ts';
import { ODD_TEXT, TEXTS } from '../values/edge-examples.ts';
import { BARE, moduleValues, ROUTE_CREATE, routeBodies, routePatches } from '../values/route-values.ts';
import { createEdge } from '../steps.ts';
import { MODULES, MODULE_NAMES, type ModuleName, allModules } from '../modules.ts';

const ROUTES = '/paths/~1edges~1https~1{edge_id}~1routes';
const ROUTE = `${ROUTES}~1{id}`;
const SCHEMA = '/components/schemas/HTTPSEdgeRoute';
const SHOWN = '/components/schemas/HTTPSEdge/properties/routes';

const FULL: Json = { ...BARE, description: 'before', metadata: '{"before":1}', ...allModules() };

/** Pairs of which one part tends to be left out of the comparison. */
const MATCHES = ['/', '/api', 'shop.example.com', 'shop.example.com/api', '*.example.com'];
const TYPES = ['exact_path', 'path_prefix'];
export const PAIRS = MATCHES.flatMap((match) => TYPES.map((match_type) => ({ match_type, match })));

/** What tends to be changed on its way to the store, and is compared as text (D18). */
const ODD_MATCHES = [
  '/A',
  '/a/',
  '/a//b',
  '/a/./b/../c',
  '/%C3%A9',
  '/%2F',
  '/é漢😀',
  '/+',
  '/;a=1',
  '//a',
  'A.Example',
  'a.example',
  'a.example/',
  'a.example/A/',
  '*.a.example',
  '*.a.example/b',
];

const OTHER: Json = {
  description: 'after',
  metadata: '',
  match: 'after.example/after',
  match_type: 'exact_path',
  // With oauth enabled, these stay disabled (D21).
  saml: { ...MODULES.saml.minimal, enabled: false },
  oidc: { ...MODULES.oidc.minimal, enabled: false },
};

/** Room for routes on an edge; their matches do not ascend in the order of creation. */
export function routesIn(edge_id: string, items: number): Place {
  const bodies = Array.from({ length: items }, (_, index) => ({
    ...BARE,
    match: `/${index % 2 === 0 ? 'long/' : ''}${items - index}`,
  }));
  return { path: { edge_id }, bodies, foreign: [] };
}

export const routes: Resource = {
  one: 'a route',
  many: 'routes',
  calls: { create: 'createRoute', read: 'getRoute', update: 'updateRoute', delete: 'deleteRoute' },
  id: { parameter: 'id', member: 'id', givenBy: 'service' },
  fixed: ['id', 'edge_id', 'uri', 'created_at'],
  createdAt: 'created_at',
  list: { kind: 'embedded', read: 'getEdge', parameter: ['edge_id', 'id'], member: 'routes' },
  order: 'oldest first',
  unique: {
    members: ['match_type', 'match'],
    samples: PAIRS,
    another: (member, sample) => (member === 'match' ? '/other' : TYPES.find((type) => type !== sample['match_type'])),
    code: 'already_exists',
  },
  async removeParent(session, { path }) {
    await session.call('deleteEdge', { path: { id: path['edge_id']! } });
  },
  async places(session, { items, places = 1 }) {
    const all: Place[] = [];
    for (let count = 0; count < places; count++)
      all.push(routesIn((await createEdge(session, acceptable(session.implementation, {}))).id, items));
    return all;
  },
  shown: shownRoute,
  changed: patched,
  maps: ['/request_headers/add', '/response_headers/add'],
  values: {
    bodies: routeBodies,
    patches: routePatches,
    full: () => FULL,
    bare: () => BARE,
    examples: () => [
      ...Object.values(TEXTS).map((text) => ({ ...BARE, description: text, metadata: text })),
      ...ODD_MATCHES.map((match) => ({ ...BARE, match })),
    ],
    defaults: () => [BARE, ...MODULE_NAMES.map((name) => ({ ...BARE, [name]: null }))],
    members: ['description', 'metadata', 'match', 'match_type', ...MODULE_NAMES],
    other: (member) => OTHER[member] ?? MODULES[member as ModuleName].full,
    changes: () => [{ metadata: 'after' }, { description: ODD_TEXT, metadata: ODD_TEXT }],
    nullable: MODULE_NAMES,
    lesser: () =>
      MODULE_NAMES.map((name) => ({
        body: { ...BARE, [name]: MODULES[name].full },
        patch: { [name]: MODULES[name].minimal },
      })),
    replacements: (implementation) =>
      fc.constantFrom(...MODULE_NAMES).chain((name) =>
        moduleValues(implementation, name).map((value) => ({
          body: { ...BARE, [name]: MODULES[name].full },
          patch: { [name]: value },
        })),
      ),
    good: () => ({
      description: 'changed',
      metadata: null,
      match: '/changed',
      compression: null,
      backend: MODULES.backend.minimal,
      user_agent_filter: {},
    }),
    invalid: {
      create: [
        { colour: 1 },
        { backend: MODULES.backend.minimal, compression: { enabled: 1 } },
        { backend: MODULES.backend.minimal, circuit_breaker: { num_buckets: 129 } },
        { match_type: 'regex' },
      ],
      update: [
        { circuit_breaker: { num_buckets: 0 } },
        { traffic_policy: {} },
        { oidc: { issuer: 'not a URL', client_id: 'a' } },
        { webhook_verification: { provider: 'github' } },
        { match_type: null },
        { match: null },
        { match: '/a?b' },
        { colour: null },
        { description: 5 },
        { description: 'a'.repeat(256) },
        { oauth: { provider: {} } },
        { request_headers: { add: { 'X-A': 'b\r\nc' } } },
      ],
    },
    disjoint: Object.entries(allModules()).map(([name, value]) => ({ [name]: value })),
  },
};

export const routeRules: Rules = {
  echo: ['routes.echo', 'D17', ROUTE_CREATE],
  readYourWrite: ['routes.read-your-write', 'D10', `${ROUTE}/get`],
  siblings: ['routes.siblings', 'D10', `${ROUTE}/get`],
  defaults: ['routes.defaults', 'D04', `${SCHEMA}/required`],
  listed: ['routes.on-edge', 'D02', SHOWN],
  order: ['routes.order', 'D02', SHOWN],
  many: ['routes.many', 'D02', SHOWN],
  isolation: ['routes.of-another-edge', 'D10', '/components/responses/NotFound'],
  unknown: ['routes.unknown', 'D15', '/components/responses/NotFound'],
  unknownChanges: 'unknown tries all calls',
  uri: ['routes.uri', 'D34', '/components/schemas/Uri'],
  uriOfOne: ['routes.uri.own', 'D34', '/components/schemas/Uri'],
  location: ['routes.location', 'D37', '/components/headers/RouteLocation'],
  createdAt: ['routes.created-at', 'D40', '/components/schemas/CreatedAt'],
  createdTogether: ['routes.ids-unique', 'D02', `${SCHEMA}/properties/id`],
  idsNotReused: ['routes.ids-not-reused', 'D10', `${SCHEMA}/properties/id`],
  stable: ['routes.stable', 'D10', `${SCHEMA}/properties/created_at`],
  refusedCreate: ['routes.refused-changes-nothing', 'D29', '/info/description', UNCHANGED],
  refusedUpdate: ['routes.update.refused-changes-nothing', 'D29', '/info/description', UNCHANGED],
  refused: 'creations and changes are laws of their own',
  gone: ['routes.deleted', 'D10', `${ROUTE}/delete`],
  uniqueCreate: ['routes.match.unique', 'D18', `${ROUTES}/post/responses/409`],
  uniqueUpdate: ['routes.match.unique-on-update', 'D18', `${ROUTE}/patch/responses/409`],
  uniqueKept: ['routes.match.own', 'D18', `${ROUTE}/patch`],
  again: ['routes.match.freed', 'D18', `${ROUTES}/post`],
  updateEcho: ['routes.update.echo', 'D11', `${ROUTE}/patch`],
  updateAbsent: ['routes.update.absent', 'D11', `${ROUTE}/patch`],
  updateNull: ['routes.update.null-module', 'D11', `${ROUTE}/patch`],
  updateReplaced: ['routes.update.replaced', 'D11', `${ROUTE}/patch`],
  replaced: 'a change leaves as it is what it does not have',
  updateNothing: ['routes.update.nothing', 'D11', `${ROUTE}/patch`],
  updateIdempotent: ['routes.update.idempotent', 'D11', `${ROUTE}/patch`],
  updateBack: ['routes.update.there-and-back', 'D11', `${ROUTE}/patch`],
  updateIdentity: ['routes.update.identity', 'D11', SCHEMA],
  raceCreate: ['routes.race.match', 'D18', `${ROUTES}/post/responses/409`],
  raceUpdate: ['routes.race.match-on-update', 'D18', `${ROUTE}/patch/responses/409`],
  raceMembers: ['routes.race.update', 'D11', `${ROUTE}/patch`],
  raceReaders: ['routes.race.readers', 'D11', `${ROUTE}/patch`],
  raceListed: ['routes.race.create-readers', 'D10', `${ROUTES}/post`],
  raceDelete: ['routes.race.delete', 'D10', `${ROUTE}/delete`],
  pages: 'an edge shows all its routes at once',
  pagesLimit: 'an edge shows all its routes at once',
  pagesDefault: 'an edge shows all its routes at once',
  pagesLast: 'an edge shows all its routes at once',
  pagesUri: 'an edge shows all its routes at once',
  pagesWrites: 'an edge shows all its routes at once',
  empty: 'a new edge shows no routes: edges.defaults',
  listDeleted: 'gone looks at the edge',
  cascade: 'nothing is inside of it',
  othersStay: 'nothing is inside of it',
  childrenStay: 'nothing is inside of it',
};
