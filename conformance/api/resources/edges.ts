/** HTTPS edges, whose list has those of others, too. */
import { validValues } from '../../engine/generate/valid.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import type { Rules } from '../../engine/laws/index.ts';
import { UNCHANGED } from '../../engine/laws/refused.ts';
import type { Json, Resource } from '../../engine/laws/resource.ts';
import { AT, ATOMIC, because, INFO } from '../define.ts';
import { patchedEdge, sentOf, shownEdge } from '../model/shown.ts';
import { hostportFor } from '../test-data.ts';
import { acceptable, EDGE_CREATE, edgeBodies, oddLists, TEXTS } from '../values/bodies.ts';
import { routes, routesIn } from './routes.ts';

const EDGES = '/paths/~1edges~1https';
const EDGE = `${EDGES}~1{edge_id}`;
const SCHEMA = '/components/schemas/HTTPSEdge';
const LIST = `${EDGES}/get`;
const NOT_FOUND = `${AT.responses}/NotFound`;
const MEMBERS = ['description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination'];

function hostports({ testData }: Implementation, ...names: string[]): string[] {
  return names.map((name) => hostportFor(testData, name));
}

/** Every member set, and none to its default. */
function fullEdge(implementation: Implementation): Json {
  const known = implementation.testData.certificateAuthorityIds;
  return {
    description: 'before',
    metadata: '{"before":1}',
    hostports: hostports(implementation, 'b', 'a'),
    mutual_tls: { enabled: false, certificate_authority_ids: known.length > 0 ? known.slice(0, 2) : ['ca_b', 'ca_a'] },
    tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' },
  };
}

function otherOf(member: string, implementation: Implementation): unknown {
  const other: Json = { description: 'after', metadata: 'after', mutual_tls: {}, tls_termination: {} };
  return member === 'hostports' ? hostports(implementation, 'c') : other[member];
}

/** Less in place of more, and hostports in another order. */
function lesser(implementation: Implementation): { body: Json; patch: Json }[] {
  const orders = [['a'], ['b'], ['a', 'b'], ['c', 'a'], ['d', 'b', 'c', 'a']];
  const patches: Json[] = [
    ...[{ description: '' }, { metadata: '' }, { hostports: [] }, { mutual_tls: {} }, { tls_termination: {} }],
    ...[{ tls_termination: { enabled: true } }, { mutual_tls: { enabled: true } }],
    ...orders.map((names) => ({ hostports: hostports(implementation, ...names) })),
  ];
  return patches.map((patch) => ({ body: fullEdge(implementation), patch }));
}

/** How many places a run has made edges for: by their descriptions, edges of one case are told from those of another. */
const placesMade = new WeakMap<Implementation, number>();

export const edges: Resource = {
  one: 'an edge',
  many: 'edges',
  calls: { create: 'createEdge', read: 'getEdge', list: 'listEdges', update: 'updateEdge', delete: 'deleteEdge' },
  id: { parameter: 'edge_id', member: 'id', givenBy: 'service' },
  mark: 'description',
  fixed: ['id', 'uri', 'created_at'],
  createdAt: 'created_at',
  list: { kind: 'paged', items: 'https_edges', next: 'next_page_uri', shared: true },
  order: 'newest first',
  children: { resource: routes, placeIn: ({ shown }, items) => routesIn(String(shown['id']), items) },
  async places({ implementation }, { items, places = 1 }) {
    const place = (placesMade.get(implementation) ?? 0) + 1;
    placesMade.set(implementation, place);
    const bodies = Array.from({ length: items }, (_, index) =>
      acceptable(implementation, { description: `${index} of ${place}` }),
    );
    return Array.from({ length: places }, () => ({ path: {}, bodies, foreign: [] }));
  },
  shown: (body) => ({ ...shownEdge(body), routes: [] }),
  sent: (body, { origin }) => sentOf(body, origin),
  changed: patchedEdge,
  values: {
    bodies: edgeBodies,
    patches: ({ contract, hints }) =>
      validValues(contract, '/components/schemas/HTTPSEdgeUpdate', hints).map((one) => one as Json),
    full: (implementation) => acceptable(implementation, fullEdge(implementation)),
    bare: (implementation) => acceptable(implementation, {}),
    defaults: () => [
      {},
      { mutual_tls: {}, tls_termination: {} },
      { description: null, metadata: null, hostports: null, mutual_tls: null, tls_termination: null },
    ],
    members: MEMBERS,
    other: otherOf,
    changes: (implementation) => [
      ...TEXTS.map((text) => ({ description: text, metadata: text })),
      ...oddLists(implementation),
      ...Object.entries(fullEdge(implementation)).map(([name, value]) => ({ [name]: value })),
    ],
    nullable: MEMBERS,
    lesser,
    good: () => ({ description: 'changed', metadata: null, hostports: null, mutual_tls: null }),
    invalid: {
      create: [],
      update: [
        ...[{ colour: null }, { description: 5 }, { metadata: 'é'.repeat(2049) }, { routes: [] }, { id: 'another' }],
        ...[{ hostports: ['a.example:1', 'a.example:1'] }, { hostports: ['a.example'] }],
        { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
        { tls_termination: { min_version: '1.1' } },
        { mutual_tls: {}, tls_termination: { terminate_at: 'upstream' } },
        { mutual_tls: { certificate_authority_ids: 'ca' } },
      ],
    },
    conflict: {
      body: { mutual_tls: { enabled: false } },
      patch: { tls_termination: { terminate_at: 'upstream' }, description: 'changed' },
    },
    disjoint: [
      ...[{ description: 'raced' }, { metadata: 'raced' }],
      ...[{ mutual_tls: { enabled: false } }, { tls_termination: { min_version: '1.3' } }],
    ],
  },
};

const PATCH = AT.updateEdge;
const READ = `${EDGE}/get`;
const SHOWN_PATH = `${SCHEMA}/properties`;

export const edgeRules: Rules = {
  echo: ['edges.echo', 'source §4.1', EDGE_CREATE],
  defaults: ['edges.defaults', 'D04', `${SCHEMA}/required`],
  readYourWrite: ['edges.read-your-write', 'source §4.2', READ],
  siblings: ['edges.siblings', 'source §4.2', READ],
  stable: ['edges.stable', 'source §2.1', `${SHOWN_PATH}/created_at`],
  createdAt: ['edges.created-at', 'D40', '/components/schemas/CreatedAt', '`created_at` is the time'],
  createdTogether: ['edges.ids-unique', 'source §2.1', `${SHOWN_PATH}/id`],
  uri: ['edges.uri', 'source §2.1', '/components/schemas/Uri', 'The `uri` of an edge'],
  uriOfOne: ['edges.uri.own', 'D34', '/components/schemas/Uri'],
  location: ['edges.location', 'D37', '/components/headers/EdgeLocation'],
  unknown: ['edges.unknown', 'D15', NOT_FOUND, '| 404 |'],
  unknownChanges: ['edges.update.unknown', 'D15', NOT_FOUND],
  gone: ['edges.delete.gone', 'D10', AT.deleteEdge, '| `GET`, `DELETE`'],
  idsNotReused: ['edges.delete.ids-not-reused', 'D10', `${SHOWN_PATH}/id`],
  cascade: ['edges.delete.cascades', 'D10', AT.deleteEdge],
  othersStay: ['edges.delete.others-stay', 'D10', AT.deleteEdge],
  updateEcho: ['edges.update.echo', 'D11', PATCH],
  updateAbsent: ['edges.update.absent', 'D11', PATCH, '`PATCH` changes the properties'],
  updateNull: ['edges.update.null', 'D11', PATCH, '| null |'],
  updateReplaced: ['edges.update.replaced', 'D11', PATCH, '| a value |'],
  updateNothing: ['edges.update.nothing', 'D11', PATCH],
  updateIdempotent: ['edges.update.idempotent', 'D11', PATCH, '| `PATCH` of an edge or a route'],
  updateWays: ['edges.update.ways', 'D11', PATCH],
  updateBack: ['edges.update.there-and-back', 'D11', PATCH],
  updateIdentity: ['edges.update.identity', 'D11', SCHEMA],
  childrenStay: ['edges.update.routes-stay', 'D11', PATCH],
  refusedUpdate: ['edges.update.refused-changes-nothing', 'D29', INFO, UNCHANGED],
  order: ['edges.list.order', 'D16', '/components/schemas/HTTPSEdgeList/properties/https_edges'],
  pages: ['edges.list.pages', 'D16', LIST, 'Only the link to the next page'],
  pagesLimit: ['edges.list.limit', 'D16', '/components/parameters/Limit/schema', 'Lists come in pages'],
  pagesDefault: ['edges.list.default', 'D16', '/components/parameters/Limit/schema/default'],
  pagesUri: ['edges.list.uri', 'D16', '/components/schemas/HTTPSEdgeList/properties/uri'],
  listed: ['edges.list.created', 'D10', LIST],
  listDeleted: ['edges.list.deleted', 'D10', LIST],
  pagesWrites: ['edges.list.writes', 'D16', LIST, 'A resource that exists during the whole walk'],
  many: ['edges.list.many', 'D16', LIST],
  raceDelete: ['edges.race.delete', 'D10', AT.deleteEdge],
  raceMembers: ['edges.race.update', 'D11', PATCH],
  raceReaders: ['edges.race.readers', 'D11', PATCH],
  raceListed: ['edges.race.create-readers', 'D10', LIST],
  raceItems: ['edges.race.items', 'D10', INFO, ATOMIC],
  raceRemoved: ['edges.race.removed', 'D10', AT.deleteEdge],
  ...because('edges may be equal', 'raceCreate', 'raceUpdate', 'raceMoves', 'again'),
  ...because('edges may be equal', 'uniqueCreate', 'uniqueUpdate', 'uniqueKept'),
  ...because('others have edges in the list', 'pagesLast', 'empty'),
  full: 'nothing bounds how many there are',
  replaced: 'a change leaves as it is what it does not have',
  refusedCreate: 'createEdge.400.unchanged looks at the list',
  refused: 'creations and changes are laws of their own',
  isolation: 'an edge has no parent',
};
