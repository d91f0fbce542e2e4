/** HTTPS edges, whose list they share with those of others. */
import { validValues } from '../../engine/generate/valid.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { UNCHANGED } from '../../engine/laws/refused.ts';
import type { Rules } from '../../engine/laws/index.ts';
import type { Json, Resource } from '../../engine/laws/resource.ts';
import { sentOf } from '../model/edge.ts';
import { patchedEdge, shownEdge } from '../model/edge-update.ts';
import { acceptable, EDGE_CREATE, edgeBodies } from '../values/edge-values.ts';
import { oddLists, TEXTS } from '../values/edge-examples.ts';
import { routes, routesIn } from './routes.ts';

const EDGES = '/paths/~1edges~1https';
const EDGE = `${EDGES}~1{id}`;
const SCHEMA = '/components/schemas/HTTPSEdge';
const LIST = `${EDGES}/get`;
const MEMBERS = ['description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination'];

function hostport(implementation: Implementation, name: string): string {
  return `${name}.${implementation.testData.hostportDomain ?? 'example.com'}:443`;
}

/** Every member set, and none to its default. */
function fullEdge(implementation: Implementation): Json {
  const known = implementation.testData.certificateAuthorityIds;
  return {
    description: 'before',
    metadata: '{"before":1}',
    hostports: [hostport(implementation, 'b'), hostport(implementation, 'a')],
    mutual_tls: { enabled: false, certificate_authority_ids: known.length > 0 ? known.slice(0, 2) : ['ca_b', 'ca_a'] },
    tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' },
  };
}

function otherOf(member: string, implementation: Implementation): unknown {
  const other: Json = { description: 'after', metadata: 'after', mutual_tls: {}, tls_termination: {} };
  return member === 'hostports' ? [hostport(implementation, 'c')] : other[member];
}

/** Less in place of more, and hostports in another order. */
function lesser(implementation: Implementation): { body: Json; patch: Json }[] {
  const orders = [['a'], ['b'], ['a', 'b'], ['c', 'a'], ['d', 'b', 'c', 'a']];
  const patches: Json[] = [
    { description: '' },
    { metadata: '' },
    { hostports: [] },
    { mutual_tls: {} },
    { tls_termination: {} },
    { tls_termination: { enabled: true } },
    { mutual_tls: { enabled: true } },
    ...orders.map((names) => ({ hostports: names.map((name) => hostport(implementation, name)) })),
  ];
  return patches.map((patch) => ({ body: fullEdge(implementation), patch }));
}

/** How many places a run has made edges for: by their descriptions, edges of one case are told from those of another. */
const placesMade = new WeakMap<Implementation, number>();

export const edges: Resource = {
  one: 'an edge',
  many: 'edges',
  calls: { create: 'createEdge', read: 'getEdge', list: 'listEdges', update: 'updateEdge', delete: 'deleteEdge' },
  id: { parameter: 'id', member: 'id', givenBy: 'service' },
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
      ...Object.values(TEXTS).map((text) => ({ description: text, metadata: text })),
      ...Object.values(oddLists(implementation)),
      ...Object.entries(fullEdge(implementation)).map(([name, value]) => ({ [name]: value })),
    ],
    nullable: MEMBERS,
    lesser,
    good: () => ({ description: 'changed', metadata: null, hostports: null, mutual_tls: null }),
    invalid: {
      create: [],
      update: [
        { colour: null },
        { description: 5 },
        { metadata: 'é'.repeat(2049) },
        { hostports: ['a.example:1', 'a.example:1'] },
        { hostports: ['a.example'] },
        { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } },
        { tls_termination: { min_version: '1.1' } },
        { mutual_tls: {}, tls_termination: { terminate_at: 'upstream' } },
        { mutual_tls: { certificate_authority_ids: 'ca' } },
        { routes: [] },
        { id: 'another' },
      ],
    },
    conflict: {
      body: { mutual_tls: { enabled: false } },
      patch: { tls_termination: { terminate_at: 'upstream' }, description: 'changed' },
    },
    disjoint: [
      { description: 'raced' },
      { metadata: 'raced' },
      { mutual_tls: { enabled: false } },
      { tls_termination: { min_version: '1.3' } },
    ],
  },
};

export const edgeRules: Rules = {
  echo: ['edges.echo', 'source §4.1', EDGE_CREATE],
  defaults: ['edges.defaults', 'D04', `${SCHEMA}/required`],
  readYourWrite: ['edges.read-your-write', 'source §4.2', `${EDGE}/get`],
  siblings: ['edges.siblings', 'source §4.2', `${EDGE}/get`],
  stable: ['edges.stable', 'source §2.1', `${SCHEMA}/properties/created_at`],
  createdAt: ['edges.created-at', 'D40', '/components/schemas/CreatedAt'],
  createdTogether: ['edges.ids-unique', 'source §2.1', `${SCHEMA}/properties/id`],
  uri: ['edges.uri', 'source §2.1', '/components/schemas/Uri'],
  uriOfOne: ['edges.uri.own', 'D34', '/components/schemas/Uri'],
  location: ['edges.location', 'D37', '/components/headers/EdgeLocation'],
  unknown: ['edges.unknown', 'D15', '/components/responses/NotFound'],
  unknownChanges: ['edges.update.unknown', 'D15', '/components/responses/NotFound'],
  gone: ['edges.delete.gone', 'D10', `${EDGE}/delete`],
  idsNotReused: ['edges.delete.ids-not-reused', 'D10', `${SCHEMA}/properties/id`],
  cascade: ['edges.delete.cascades', 'D10', `${EDGE}/delete`],
  othersStay: ['edges.delete.others-stay', 'D10', `${EDGE}/delete`],
  updateEcho: ['edges.update.echo', 'D11', `${EDGE}/patch`],
  updateAbsent: ['edges.update.absent', 'D11', `${EDGE}/patch`],
  updateNull: ['edges.update.null', 'D11', `${EDGE}/patch`],
  updateReplaced: ['edges.update.replaced', 'D11', `${EDGE}/patch`],
  replaced: 'a change leaves as it is what it does not have',
  updateNothing: ['edges.update.nothing', 'D11', `${EDGE}/patch`],
  updateIdempotent: ['edges.update.idempotent', 'D11', `${EDGE}/patch`],
  updateBack: ['edges.update.there-and-back', 'D11', `${EDGE}/patch`],
  updateIdentity: ['edges.update.identity', 'D11', SCHEMA],
  childrenStay: ['edges.update.routes-stay', 'D11', `${EDGE}/patch`],
  refusedUpdate: ['edges.update.refused-changes-nothing', 'D29', '/info/description', UNCHANGED],
  refusedCreate: 'createEdge.400.unchanged looks at the list',
  refused: 'creations and changes are laws of their own',
  order: ['edges.list.order', 'D16', '/components/schemas/HTTPSEdgeList/properties/https_edges'],
  pages: ['edges.list.pages', 'D16', LIST],
  pagesLimit: ['edges.list.limit', 'D16', '/components/parameters/Limit/schema'],
  pagesUri: ['edges.list.uri', 'D16', '/components/schemas/HTTPSEdgeList/properties/uri'],
  listed: ['edges.list.created', 'D10', LIST],
  listDeleted: ['edges.list.deleted', 'D10', LIST],
  pagesWrites: ['edges.list.writes', 'D16', LIST],
  many: ['edges.list.many', 'D16', LIST],
  pagesDefault: 'a page of edges may have fewer than 100 items, and 101 edges cost more than they show',
  pagesLast: 'others have edges in the list',
  empty: 'others have edges in the list',
  raceDelete: ['edges.race.delete', 'D10', `${EDGE}/delete`],
  raceMembers: ['edges.race.update', 'D11', `${EDGE}/patch`],
  raceReaders: ['edges.race.readers', 'D11', `${EDGE}/patch`],
  raceListed: ['edges.race.create-readers', 'D10', LIST],
  raceCreate: 'edges may be equal',
  raceUpdate: 'edges may be equal',
  again: 'edges may be equal',
  uniqueCreate: 'edges may be equal',
  uniqueUpdate: 'edges may be equal',
  uniqueKept: 'edges may be equal',
  isolation: 'an edge has no parent',
};
