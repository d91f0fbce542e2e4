/**
 * Routes, which the edge that they belong to shows; and the laws of routes alone that need no
 * model.
 */
import fc from 'fast-check';
import { expectSame } from '../../engine/http/nonconformity.ts';
import { expectKept } from '../../engine/laws/echo.ts';
import type { Rules } from '../../engine/laws/index.ts';
import type { Overlay } from '../../engine/laws/inference/overlay.ts';
import { forAll, forEach, once } from '../../engine/laws/law.ts';
import { type Json, pick } from '../../engine/laws/resource.ts';
import { UNCHANGED } from '../../engine/laws/unchanged.ts';
import { nulls, tryPatch } from '../../engine/laws/updates.ts';
import { AT, ATOMIC, because, INFO, JSON_TEXT, on, rule } from '../define.ts';
import { refuseChange, refuseCreation } from '../laws/refusals.ts';
import { patched, shownRoute } from '../model/shown.ts';
import { allModules, MODULE_NAMES, type ModuleName, MODULES, SIGN_IN } from '../modules.ts';
import {
  BARE,
  HEADER_MAPS,
  LONG_ROUTES,
  LONGEST,
  moduleValues,
  oddRoutes,
  ODD_TEXT,
  ROUTE_CREATE,
  routeBodies,
  routePatches,
  TEXTS,
} from '../values/bodies.ts';
import { laidOver } from './laid-over.ts';
import { REPLACED_FOR_EACH, REPLACED_FOR_UNIQUE } from './replaced-laws.ts';

const ROUTE = '/paths/~1edges~1https~1{edge_id}~1routes~1{route_id}';
const SCHEMA = '/components/schemas/HTTPSEdgeRoute';
const SHOWN = '/components/schemas/HTTPSEdge/properties/routes';

const { backend } = MODULES;
/** Some of its modules have secrets, which are read back as sent (D27). */
export const FULL_ROUTE: Json = {
  ...BARE,
  description: 'before',
  metadata: '{"before":1}',
  ...allModules(),
};

/** Pairs of which one part tends to be left out of the comparison. */
const MATCHES = ['/', '/api', 'shop.example.com', 'shop.example.com/api', '*.example.com'];
const TYPES = ['exact_path', 'path_prefix'];
export const PAIRS = MATCHES.flatMap((match) => TYPES.map((match_type) => ({ match_type, match })));

/**
 * Matches that services tend to change on the way to the store; they are compared as text (D18).
 */
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

/** Other values than the full ones; with oauth enabled, saml and oidc stay disabled (D21). */
const OTHER: Json = {
  ...Object.fromEntries(
    MODULE_NAMES.map((name) => [name, { ...MODULES[name].minimal, enabled: true }]),
  ),
  description: 'after',
  metadata: '',
  match: 'after.example/after',
  match_type: 'exact_path',
  saml: { ...MODULES.saml.minimal, enabled: false },
  oidc: { ...MODULES.oidc.minimal, enabled: false },
};

/** Routes that one edge can have; their matches do not ascend in the order of creation. */
export function routeBodiesInPlace(count: number): Json[] {
  return Array.from({ length: count }, (_, index) => ({
    ...BARE,
    match: `/${index % 2 === 0 ? 'long/' : ''}${count - index}`,
  }));
}

/** A module in full, and another value of it. */
function replacing(name: ModuleName, value: Json): { body: Json; patch: Json } {
  return { body: { ...BARE, [name]: MODULES[name].full }, patch: { [name]: value } };
}

/**
 * Values that are in part as the full ones: a service that compares a name or an id may keep what
 * they leave out, such as a secret.
 */
function alike(): { body: Json; patch: Json }[] {
  const found = MODULE_NAMES.filter((name) => name !== 'webhook_verification').map((name) => {
    const { fields, full } = MODULES[name];
    const [first = 'enabled', ...others] = Object.keys(fields).filter((one) => one !== 'enabled');
    const required = [first, ...others].filter((one) => fields[one]?.required);
    const kept = required.length > 0 ? required : [first];
    return replacing(name, pick(full, kept));
  });
  const { oauth, oidc } = MODULES;
  const github = { client_id: 'id', client_secret: 'conformance-another' };
  const own = { ...pick(oidc.full, ['issuer', 'client_id']), client_secret: 'conformance-another' };
  const sns = { provider: 'sns', secret: 'conformance-one' };
  return [
    ...found,
    replacing('oauth', { ...oauth.full, provider: { github: {} } }),
    replacing('oauth', { provider: { github } }),
    replacing('oauth', pick(oauth.full, ['cookie_prefix', 'provider'])),
    replacing('oidc', own),
    replacing('oidc', { ...own, client_secret: null }),
    replacing('oauth', { provider: { github: { client_id: null, client_secret: null } } }),
    {
      body: { ...BARE, webhook_verification: sns },
      patch: { webhook_verification: { provider: 'sns' } },
    },
    replacing('webhook_verification', { provider: 'github', secret: 'conformance-another' }),
  ];
}

export const routeOverlay: Overlay = {
  one: 'a route',
  many: 'routes',
  fixed: ['id', 'edge_id', 'uri', 'created_at'],
  list: { shared: false },
  order: 'oldest first',
  most: 1000,
  unique: {
    members: ['match_type', 'match'],
    samples: PAIRS,
    another: (member, sample) => {
      if (member === 'match') {
        return '/other';
      }
      return TYPES.find((type) => type !== sample['match_type']);
    },
    code: 'already_exists',
  },
  bodiesInPlace: routeBodiesInPlace,
  shown: shownRoute,
  changed: patched,
  maps: HEADER_MAPS,
  values: {
    bodies: routeBodies,
    patches: routePatches,
    full: () => FULL_ROUTE,
    bare: () => BARE,
    wholes: ({ contract }) => oddRoutes(contract),
    examples: () => [
      ...TEXTS.map((text) => ({ ...BARE, description: text, metadata: text })),
      ...ODD_MATCHES.map((match) => ({ ...BARE, match })),
      ...LONG_ROUTES.map((long) => ({ ...BARE, ...long })),
    ],
    lasting: () => [{ ...FULL_ROUTE, ...LONGEST }],
    defaults: () => [BARE, ...MODULE_NAMES.map((name) => ({ ...BARE, [name]: null }))],
    members: ['description', 'metadata', 'match', 'match_type', ...MODULE_NAMES],
    other: (member) => OTHER[member],
    changes: () => [
      { metadata: 'after' },
      { description: ODD_TEXT, metadata: ODD_TEXT },
      ...LONG_ROUTES,
    ],
    nullable: ['description', 'metadata', ...MODULE_NAMES],
    lesser: () => [
      ...MODULE_NAMES.map((name) => replacing(name, MODULES[name].minimal)),
      ...alike(),
    ],
    replacements: (implementation) =>
      fc
        .constantFrom(...MODULE_NAMES)
        .chain((name) => moduleValues(implementation, name).map((value) => replacing(name, value))),
    good: () => ({
      description: 'changed',
      metadata: null,
      match: '/changed',
      compression: null,
      backend: backend.minimal,
      user_agent_filter: {},
    }),
    invalid: {
      create: [
        { colour: 1 },
        { match_type: 'regex' },
        { backend: backend.minimal, compression: { enabled: 1 } },
        { backend: backend.minimal, circuit_breaker: { num_buckets: 129 } },
      ],
      update: [
        { circuit_breaker: { num_buckets: 0 } },
        { traffic_policy: {} },
        { match_type: null },
        { match: null },
        { match: '/a?b' },
        { colour: null },
        { description: 5 },
        { description: 'a'.repeat(256) },
        { oauth: { provider: {} } },
        { webhook_verification: { provider: 'github' } },
        { oidc: { issuer: 'not a URL', client_id: 'a' } },
        { request_headers: { add: { 'X-A': 'b\r\nc' } } },
      ],
    },
    disjoint: Object.entries(allModules()).map(([name, value]) => ({ [name]: value })),
  },
  replaces: {
    one: 'the words of this API',
    many: 'the words of this API',
    fixed: 'no change moves the ids and the `uri` either (D11)',
    'list.shared': 'each case creates an edge for its routes',
    order: 'D02 lists the oldest first',
    shown: 'ids are shown as Refs, and defaults stand in the rules of modules (D04, D17)',
    changed: 'null resets or removes, and ids are shown as Refs (D11)',
    values: 'realistic values, and values that services tend to change; all are kept to the byte',
    view: 'all members that the contract knows are compared',
    missing: '404 alone says that an item does not exist, before other errors (D15)',
  },
};

export const routesOf = laidOver('createRoute', { createRoute: routeOverlay });

const PATCH = AT.updateRoute;
const READ = `${ROUTE}/get`;

export const routeRules: Rules = {
  echo: rule('routes.echo', 'D17', ROUTE_CREATE),
  readYourWrite: rule('routes.read-your-write', 'D10', READ),
  siblings: rule('routes.siblings', 'D10', READ),
  createSpelled: rule('routes.echo.spellings', 'D31', INFO, JSON_TEXT),
  updateSpelled: rule('routes.update.spellings', 'D31', INFO, JSON_TEXT),
  refusedSpelled: rule('routes.refused-spellings', 'D31', INFO, JSON_TEXT),
  defaults: rule('routes.defaults', 'D04', `${SCHEMA}/required`),
  listed: rule('routes.on-edge', 'D02', SHOWN),
  order: rule('routes.order', 'D02', SHOWN, 'The routes of an edge'),
  many: rule('routes.many', 'D02', SHOWN),
  isolation: rule('routes.of-another-edge', 'D10', `${AT.responses}/NotFound`),
  unknown: rule('routes.unknown', 'D15', `${AT.responses}/NotFound`),
  unknownChanges: 'unknown tries all calls',
  uri: rule('routes.uri', 'D34', '/components/schemas/Uri'),
  uriOfOne: rule('routes.uri.own', 'D34', '/components/schemas/Uri'),
  location: rule('routes.location', 'D37', '/components/headers/RouteLocation'),
  createdAt: rule(
    'routes.created-at',
    'D40',
    '/components/schemas/CreatedAt',
    '`created_at` is the time',
  ),
  createdTogether: rule('routes.ids-unique', 'D02', `${SCHEMA}/properties/id`),
  idsNotReused: rule('routes.ids-not-reused', 'D10', `${SCHEMA}/properties/id`),
  stable: rule('routes.stable', 'D10', `${SCHEMA}/properties/created_at`),
  refusedCreate: rule('routes.refused-changes-nothing', 'D29', INFO, UNCHANGED),
  refusedUpdate: rule('routes.update.refused-changes-nothing', 'D29', INFO, UNCHANGED),
  refused: 'creations and changes are separate laws',
  refusedBeside: rule('routes.update.refused-beside', 'D29', INFO, UNCHANGED),
  updateMixed: rule('routes.update.mixed', 'D11', PATCH, '| null |'),
  noticed: rule('routes.noticed', 'D02', SHOWN),
  gone: rule('routes.deleted', 'D10', `${ROUTE}/delete`, '| `GET`, `DELETE`'),
  uniqueCreate: rule(
    'routes.match.unique',
    'D18',
    `${AT.createRoute}/responses/409`,
    '| 409 | `already_exists`',
  ),
  uniqueUpdate: rule('routes.match.unique-on-update', 'D18', `${PATCH}/responses/409`),
  uniqueKept: rule('routes.match.own', 'D18', PATCH),
  again: rule('routes.match.freed', 'D18', AT.createRoute),
  updateEcho: rule('routes.update.echo', 'D11', PATCH, 'Each module can be set'),
  updateAbsent: rule('routes.update.absent', 'D11', PATCH, '| omitted |'),
  updateNull: rule('routes.update.null-module', 'D11', PATCH),
  updateReplaced: rule('routes.update.replaced', 'D11', PATCH),
  replaced: 'a change leaves as it is what it does not have',
  updateNothing: rule('routes.update.nothing', 'D11', PATCH),
  updateIdempotent: rule('routes.update.idempotent', 'D11', PATCH),
  updateWays: rule('routes.update.ways', 'D11', PATCH),
  updateBack: rule('routes.update.there-and-back', 'D11', PATCH),
  updateIdentity: rule('routes.update.identity', 'D11', SCHEMA),
  raceCreate: rule('routes.race.match', 'D18', `${AT.createRoute}/responses/409`),
  raceUpdate: rule('routes.race.match-on-update', 'D18', `${PATCH}/responses/409`),
  raceMembers: rule('routes.race.update', 'D11', PATCH),
  raceReaders: rule('routes.race.readers', 'D11', PATCH),
  raceListed: rule('routes.race.create-readers', 'D10', AT.createRoute),
  full: rule('routes.most', 'D36', AT.createRoute),
  raceItems: rule('routes.race.items', 'D10', INFO, ATOMIC),
  raceRemoved: rule('routes.race.removed', 'D10', `${ROUTE}/delete`),
  raceMoves: rule('routes.race.moves', 'D18', PATCH),
  raceDelete: rule('routes.race.delete', 'D10', `${ROUTE}/delete`),
  ...because(
    'an edge shows all its routes at once',
    'pages',
    'pagesLimit',
    'pagesDefault',
    'pagesLast',
    'pagesUri',
  ),
  ...because('an edge shows all its routes at once', 'pagesWrites', 'smallPages'),
  ...REPLACED_FOR_EACH,
  ...because('raceMembers demands it of every change', 'membersAtOnce'),
  otherCase: 'unknown tries ids in another case',
  ...because('nothing is inside of it', 'outlivesParent', 'lostBesideParent'),
  ...REPLACED_FOR_UNIQUE,
  elsewhere: 'isolation tries each call in another edge',
  unusualValues: 'echo has such values among its examples',
  updateRemoved: 'updateNull says what null does',
  empty: 'a new edge shows no routes: edges.defaults',
  listDeleted: 'gone looks at the edge',
  ...because('nothing is inside of it', 'cascade', 'othersStay', 'childrenStay'),
  refusedInside: 'nothing is inside of it',
  ...because('nothing is inside of it', 'noticedInside', 'raceInsideRemoved', 'raceInsideChanged'),
};

const law = on(routesOf, 'extended');

const NAMES = fc.subarray([...MODULE_NAMES], { minLength: 1 });

const SWAPS = SIGN_IN.flatMap((from) =>
  SIGN_IN.filter((to) => to !== from).flatMap((to) =>
    [null, { ...MODULES[from].full, enabled: false }].map((gone) => ({
      body: { ...BARE, [from]: { ...MODULES[from].full, enabled: true } },
      patch: { [from]: gone, [to]: MODULES[to].minimal },
    })),
  ),
);

const CHANGES = fc
  .record({ before: NAMES, set: NAMES, removed: NAMES })
  .map(({ before, set, removed }) => ({
    body: { ...BARE, ...Object.fromEntries(before.map((name) => [name, MODULES[name].full])) },
    patch: {
      ...Object.fromEntries(
        set.map((name) => [name, { ...MODULES[name].minimal, enabled: false }]),
      ),
      ...Object.fromEntries(removed.map((name) => [name, null])),
    },
  }));

const TWICE: Json[] = ['request_headers', 'response_headers'].flatMap((name) => [
  { [name]: { add: { 'X-Team': 'a', 'x-team': 'b' } } },
  { [name]: { add: { 'X-Team': 'a', 'X-TEAM': 'a' } } },
  { [name]: { remove: ['X-Debug', 'x-debug'] } },
  { [name]: { remove: ['X-A', 'X-B', 'x-a'] } },
]);

const WHY = 'A header is there twice, in another case.';

export const routeLaws = [
  law(
    {
      id: 'routes.edge-id',
      origin: 'source §2.5',
      clause: `${AT.schemas}/HTTPSEdgeRoute/properties/edge_id`,
      sentence: '`edge_id` of a route is the id of the edge that it was created on.',
    },
    once('routes of two edges', async (steps) => {
      for (const item of await steps.createApart()) {
        const { edge_id } = item.path;
        for (const shown of [item.shown, await steps.read(item)]) {
          expectSame('`edge_id` is another edge', shown['edge_id'], edge_id);
        }
      }
    }),
  ),
  // Changes of single members are laws of any resource.
  law(
    {
      id: 'routes.update.null-text',
      origin: 'D11',
      clause: AT.updateRoute,
      sentence: 'Null resets `description` and `metadata` to "".',
    },
    nulls(['description', 'metadata']),
  ),
  law(
    {
      id: 'routes.update.several',
      origin: 'D11',
      clause: AT.updateRoute,
      sentence: 'One change sets, replaces and removes several modules at once.',
    },
    forAll('some set, some replaced, some removed', CHANGES, tryPatch),
  ),
  law(
    {
      id: 'routes.update.swap',
      origin: 'D11',
      clause: AT.updateRoute,
      quotes: ['So one `PATCH` can remove'],
      sentence: 'One request takes one authentication module away and enables another.',
    },
    forEach('from one to another', SWAPS, tryPatch),
  ),
  law(
    {
      id: 'routes.headers.case',
      origin: 'D23',
      clause: `${AT.schemas}/HeaderMap/propertyNames`,
      quotes: ['Six errors', 'A duplicate header name'],
      sentence:
        'The names of headers are told apart without regard to ' +
        'case: the same name twice is refused.',
    },
    forEach('names that differ in case', TWICE, async (body, steps) => {
      await refuseCreation(steps, body, WHY);
      const [name] = Object.keys(body) as [string];
      await refuseChange(
        steps,
        await steps.createOne({ [name]: MODULES.request_headers.full }),
        body,
        WHY,
      );
    }),
  ),
  law(
    {
      id: 'routes.headers.as-sent',
      origin: 'D23',
      clause: `${AT.schemas}/HeaderName`,
      sentence: 'The names of headers keep their case.',
    },
    forEach('upper, lower and mixed', ['X-UPPER', 'x-lower', 'X-MiXeD', 'server'], (name, steps) =>
      expectKept(
        { request_headers: { add: { [name]: 'a' } }, response_headers: { remove: [name] } },
        steps,
      ),
    ),
  ),
  law(
    {
      id: 'routes.headers.add-and-remove',
      origin: 'D23',
      clause: `${AT.schemas}/EndpointRequestHeadersMutate/properties/remove`,
      sentence: 'The same name can stand in `add` and in `remove`.',
    },
    forEach('equal, and in another case', ['X-Team', 'x-team'], (name, steps) => {
      const headers = { add: { 'X-Team': 'web' }, remove: [name] };
      return expectKept({ request_headers: headers, response_headers: headers }, steps);
    }),
  ),
];
