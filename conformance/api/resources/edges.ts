/** HTTPS edges, whose list has those of others, too; and the laws of edges alone. */
import { randomUUID } from 'node:crypto';
import { validValues } from '../../engine/generate/valid.ts';
import { expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import type { Implementation } from '../../engine/http/implementation.ts';
import { expectSame, expectThat, NotPossible } from '../../engine/http/nonconformity.ts';
import { expectKept } from '../../engine/laws/echo.ts';
import type { Rules } from '../../engine/laws/index.ts';
import type { Overlay } from '../../engine/laws/inference/overlay.ts';
import type { Reading } from '../../engine/laws/listing.ts';
import { expectPageUri } from '../../engine/laws/pages.ts';
import { forAll, forEach, once } from '../../engine/laws/law.ts';
import { type Item, type Json, pick } from '../../engine/laws/resource.ts';
import type { Steps } from '../../engine/laws/steps.ts';
import { elementAt } from '../../engine/laws/required.ts';
import { UNCHANGED } from '../../engine/laws/unchanged.ts';
import { follow, reachable } from '../../engine/laws/uris.ts';
import { type ApiRule, AT, ATOMIC, because, INFO, JSON_TEXT, on, rule } from '../define.ts';
import { expectReported } from '../errors/reported-errors.ts';
import { expectOwnUris, moduleSentAgain, patchedEdge, sentOf, shownEdge } from '../model/shown.ts';
import { EDGE_MODULES } from '../modules.ts';
import { hostportFor } from '../test-data.ts';
import { edgeImplementation } from '../tracker.ts';
import {
  acceptable,
  EDGE_CREATE,
  LONGEST,
  edgeBodies,
  ODD_TEXT,
  oddLists,
  TEXTS,
} from '../values/bodies.ts';
import { laidOver } from './laid-over.ts';
import { REPLACED_FOR_EACH } from './replaced-laws.ts';
import { routeOverlay } from './routes.ts';

const EDGES = '/paths/~1edges~1https';
const SCHEMA = '/components/schemas/HTTPSEdge';
const LIST = `${EDGES}/get`;
const NOT_FOUND = `${AT.responses}/NotFound`;
const MEMBERS = ['description', 'metadata', 'hostports', 'mutual_tls', 'tls_termination'];

function hostports(implementation: Implementation, ...names: string[]): string[] {
  const { testData } = edgeImplementation(implementation);
  return names.map((name) => hostportFor(testData, name));
}

/** Every member set, and none to its default. */
function fullEdge(implementation: Implementation): Json {
  const known = edgeImplementation(implementation).testData.certificateAuthorityIds;
  return {
    description: 'before',
    metadata: '{"before":1}',
    hostports: hostports(implementation, 'b', 'a'),
    mutual_tls: {
      enabled: false,
      certificate_authority_ids: known.length > 0 ? known.slice(0, 2) : ['ca_b', 'ca_a'],
    },
    tls_termination: { enabled: false, terminate_at: 'edge', min_version: '1.3' },
  };
}

const OTHER: Json = {
  description: 'after',
  metadata: 'after',
  mutual_tls: {},
  tls_termination: {},
};

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
    // In part as the old values: what they leave out does not stay.
    { tls_termination: { terminate_at: 'edge' } },
    { tls_termination: { min_version: '1.3' } },
    {
      mutual_tls: pick(fullEdge(implementation)['mutual_tls'] as Json, [
        'certificate_authority_ids',
      ]),
    },
    ...orders.map((names) => ({ hostports: hostports(implementation, ...names) })),
  ];
  return patches.map((patch) => ({ body: fullEdge(implementation), patch }));
}

/**
 * The number of places for which a run has made edges: by their descriptions, edges of one case are
 * told from those of another.
 */
const placesMade = new WeakMap<Implementation, number>();

export const edgeOverlay: Overlay = {
  one: 'an edge',
  many: 'edges',
  mark: 'description',
  fixed: ['id', 'uri', 'created_at'],
  list: { most: undefined, isSteady: true, ignoresFields: true },
  order: 'newest first',
  async places({ implementation }, { items, places = 1 }) {
    // A run makes fewer than a million.
    const place = (placesMade.get(implementation) ?? 1e6 * (implementation.job ?? 0)) + 1;
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
    wholes: (implementation) => [
      acceptable(implementation, {
        ...fullEdge(implementation),
        description: ODD_TEXT,
        metadata: ODD_TEXT,
      }),
    ],
    lasting: (implementation) => [
      acceptable(implementation, { ...fullEdge(implementation), ...LONGEST }),
    ],
    defaults: () => [
      {},
      { mutual_tls: {}, tls_termination: {} },
      {
        description: null,
        metadata: null,
        hostports: null,
        mutual_tls: null,
        tls_termination: null,
      },
    ],
    members: MEMBERS,
    other: (member, implementation) => {
      if (member === 'hostports') {
        return hostports(implementation, 'c');
      }
      return OTHER[member];
    },
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
        { colour: null },
        { description: 5 },
        { metadata: 'é'.repeat(2049) },
        { routes: [] },
        { id: 'another' },
        { hostports: ['a.example:1', 'a.example:1'] },
        { hostports: ['a.example'] },
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
      { description: 'raced' },
      { metadata: 'raced' },
      { mutual_tls: { enabled: false } },
      { tls_termination: { min_version: '1.3' } },
    ],
  },
  replaces: {
    one: 'the words of this API',
    many: 'the words of this API',
    fixed: 'no change moves the id and the `uri` either (D11)',
    'list.most': 'a page has at most 100 items without `limit`, too (D16)',
    'list.isSteady': 'what exists during the whole walk is listed exactly once (D16)',
    'list.ignoresFields': 'header fields that the contract does not name change nothing (D35)',
    order: 'D16 lists the newest first',
    places: 'descriptions tell the edges of one case from others in the list, which all share',
    shown: 'ids are shown as Refs, and defaults stand in the rules of modules (D04, D17)',
    changed: 'null resets or removes, and ids are shown as Refs (D11)',
    values: 'realistic values, and values that services tend to change; all are kept to the byte',
    view: 'all members that the contract knows are compared',
    missing: '404 alone says that an item does not exist, before other errors (D15)',
  },
};

export const edgesOf = laidOver('createEdge', {
  createEdge: edgeOverlay,
  createRoute: routeOverlay,
});

const PATCH = AT.updateEdge;
const READ = `${EDGES}~1{edge_id}/get`;
const SHOWN_PATH = `${SCHEMA}/properties`;

export const edgeRules: Rules = {
  echo: rule('edges.echo', 'source §4.1', EDGE_CREATE),
  createSpelled: rule('edges.echo.spellings', 'D31', INFO, JSON_TEXT),
  updateSpelled: rule('edges.update.spellings', 'D31', INFO, JSON_TEXT),
  refusedSpelled: rule('edges.update.refused-spellings', 'D31', INFO, JSON_TEXT),
  defaults: rule('edges.defaults', 'D04', `${SCHEMA}/required`),
  readYourWrite: rule('edges.read-your-write', 'source §4.2', READ),
  siblings: rule('edges.siblings', 'source §4.2', READ),
  stable: rule('edges.stable', 'source §2.1', `${SHOWN_PATH}/created_at`),
  createdAt: rule(
    'edges.created-at',
    'D40',
    '/components/schemas/CreatedAt',
    '`created_at` is the time',
  ),
  createdTogether: rule('edges.ids-unique', 'source §2.1', `${SHOWN_PATH}/id`),
  uri: rule('edges.uri', 'source §2.1', '/components/schemas/Uri', 'The `uri` of an edge'),
  uriOfOne: rule('edges.uri.own', 'D34', '/components/schemas/Uri'),
  location: rule('edges.location', 'D37', '/components/headers/EdgeLocation'),
  unknown: rule('edges.unknown', 'D15', NOT_FOUND, '| 404 |'),
  unknownChanges: rule('edges.update.unknown', 'D15', NOT_FOUND),
  gone: rule('edges.delete.gone', 'D10', AT.deleteEdge, '| `GET`, `DELETE`'),
  idsNotReused: rule('edges.delete.ids-not-reused', 'D10', `${SHOWN_PATH}/id`),
  cascade: rule('edges.delete.cascades', 'D10', AT.deleteEdge),
  othersStay: rule('edges.delete.others-stay', 'D10', AT.deleteEdge),
  updateEcho: rule('edges.update.echo', 'D11', PATCH),
  updateAbsent: rule('edges.update.absent', 'D11', PATCH, '`PATCH` changes the properties'),
  updateNull: rule('edges.update.null', 'D11', PATCH, '| null |'),
  updateReplaced: rule('edges.update.replaced', 'D11', PATCH, '| a value |'),
  updateNothing: rule('edges.update.nothing', 'D11', PATCH),
  updateIdempotent: rule(
    'edges.update.idempotent',
    'D11',
    PATCH,
    '| `PATCH` of an edge or a route',
  ),
  updateWays: rule('edges.update.ways', 'D11', PATCH),
  updateBack: rule('edges.update.there-and-back', 'D11', PATCH),
  updateIdentity: rule('edges.update.identity', 'D11', SCHEMA),
  childrenStay: rule('edges.update.routes-stay', 'D11', PATCH),
  refusedInside: rule('edges.refused-inside', 'D29', INFO, UNCHANGED),
  refusedUpdate: rule('edges.update.refused-changes-nothing', 'D29', INFO, UNCHANGED),
  refusedBeside: rule('edges.update.refused-beside', 'D29', INFO, UNCHANGED),
  updateMixed: rule('edges.update.mixed', 'D11', PATCH, '| null |'),
  noticed: rule('edges.noticed', 'D10', LIST),
  noticedInside: rule('edges.noticed.routes', 'D02', `${SHOWN_PATH}/routes`),
  order: rule(
    'edges.list.order',
    'D16',
    '/components/schemas/HTTPSEdgeList/properties/https_edges',
  ),
  pages: rule('edges.list.pages', 'D16', LIST, 'Only the link to the next page'),
  pagesLimit: rule(
    'edges.list.limit',
    'D16',
    '/components/parameters/Limit/schema',
    'Lists come in pages',
  ),
  pagesDefault: rule('edges.list.default', 'D16', '/components/parameters/Limit/schema/default'),
  pagesUri: rule('edges.list.uri', 'D16', '/components/schemas/HTTPSEdgeList/properties/uri'),
  listed: rule('edges.list.created', 'D10', LIST),
  listDeleted: rule('edges.list.deleted', 'D10', LIST),
  pagesWrites: rule(
    'edges.list.writes',
    'D16',
    LIST,
    'A resource that exists during the whole walk',
  ),
  many: rule('edges.list.many', 'D16', LIST),
  raceDelete: rule('edges.race.delete', 'D10', AT.deleteEdge),
  raceMembers: rule('edges.race.update', 'D11', PATCH),
  raceReaders: rule('edges.race.readers', 'D11', PATCH),
  raceListed: rule('edges.race.create-readers', 'D10', LIST),
  raceItems: rule('edges.race.items', 'D10', INFO, ATOMIC),
  raceRemoved: rule('edges.race.removed', 'D10', AT.deleteEdge),
  raceInsideRemoved: rule('edges.race.routes-removed', 'D10', AT.deleteEdge),
  raceInsideChanged: rule('edges.race.routes-changed', 'D11', INFO, ATOMIC),
  ...because('edges may be equal', 'raceCreate', 'raceUpdate', 'raceMoves', 'again'),
  ...because('edges may be equal', 'uniqueCreate', 'uniqueUpdate', 'uniqueKept'),
  ...because('others have edges in the list', 'pagesLast', 'empty'),
  ...REPLACED_FOR_EACH,
  ...because('raceMembers demands it of every change', 'membersAtOnce'),
  otherCase: 'unknown tries ids in another case',
  outlivesParent: 'raceInsideRemoved demands what the contract says',
  lostBesideParent: 'raceInsideChanged demands what the contract says',
  ...because('edges may be equal', 'conflict', 'conflictAtOnce', 'updateConflict'),
  ...because('an edge has no parent', 'elsewhere'),
  unusualValues: 'edges.echo.texts and edges.echo.lists have such values',
  updateRemoved: 'updateNull says what null does',
  smallPages: 'pages has pages of several sizes',
  full: 'nothing bounds how many there are',
  replaced: 'a change leaves as it is what it does not have',
  refusedCreate: 'createEdge.400.unchanged looks at the list',
  refused: 'creations and changes are separate laws',
  isolation: 'an edge has no parent',
};

const TERMINATION = `${AT.schemas}/EndpointTLSTerminationAtEdge/properties`;

const law = on(edgesOf, 'core');
const extendedLaw = on(edgesOf, 'extended');

const keeps = (body: Json, steps: Steps) =>
  expectKept(acceptable(steps.implementation, body), steps);

/** A law of what edges with these bodies show. */
function ofBodies(
  stated: ApiRule,
  bodies: readonly Json[],
  check: (shown: Json, body: Json) => void,
) {
  return law(stated, (implementation) => {
    const { testData } = edgeImplementation(implementation);
    return forEach('such edges', bodies, async (body, steps) => {
      const created = await steps.createOne({ hostports: [hostportFor(testData)], ...body });
      check(created.shown, body);
    });
  });
}

/**
 * This module of an edge, as shown at once and read.
 * @throws NotPossible if, by the source alone, it is refused
 */
async function moduleOf(
  steps: Steps,
  name: string,
  value: Json,
  unknown: string,
): Promise<unknown[]> {
  const { session, implementation } = steps;
  const place = await steps.place();
  const response = await session.call('createEdge', {
    json: { ...place.bodies[0], [name]: value },
  });
  if (implementation.origin === 'source' && response.status >= 400 && response.status < 500) {
    throw new NotPossible(unknown);
  }
  expectSuccess(implementation, session.operation('createEdge'), response);
  const edge = steps.itemIn(place, response);
  return [edge.shown, await steps.read(edge)].map((shown) => shown[name]);
}

/** The body that creates an edge like this one, without its routes (D04): Refs go as their ids. */
function sentAgain(shown: Json): Json {
  const sent = MEMBERS.map((name) => {
    const fields = EDGE_MODULES[name];
    const value = shown[name] as Json | null;
    return [name, fields && value ? moduleSentAgain(fields, value) : value] as const;
  });
  return Object.fromEntries(sent);
}

const PARAMETER = '/components/parameters/BeforeId';

/** The list has all edges older than the one at index `at`, and none of the others. */
async function expectOlder(
  steps: Steps,
  items: readonly Item[],
  at: number,
  limit?: number,
): Promise<void> {
  const older = items.slice(0, at);
  const item = elementAt(items, at);
  const reading: Reading = { query: { before_id: steps.idOf(item) } };
  if (limit !== undefined) {
    reading.limit = limit;
  }
  const listing = await steps.list(item.place, older, reading);
  steps.expectListed(listing, older);
  steps.expectNotListed(listing, items.slice(at), 'The page has an edge that is not older.');
}

/** So many pages are read to find the oldest edge. */
const MOST_PAGES = 500;

/** A walk by `before_id` ends with a page that is empty, and with no refusal. */
async function expectNothingOlder(steps: Steps): Promise<void> {
  const { session, implementation } = steps;
  await steps.createSome({ items: 2 });
  for (let times = 0; times < 10; times++) {
    const before_id = await oldestOf(steps);
    const response = await session.call('listEdges', { query: { before_id } });
    const { status } = await session.call('getEdge', { path: { edge_id: before_id } });
    // Somebody may have removed it meanwhile.
    if (status !== 404) {
      expectSuccess(implementation, session.operation('listEdges'), response);
      const { https_edges: edges } = response.json as Json;
      expectSame('There are edges behind the oldest one', edges, []);
      return;
    }
  }
}

/** The id of the oldest edge. @throws NotPossible */
async function oldestOf(steps: Steps): Promise<string> {
  const { session } = steps;
  let response = await steps.succeed('list', { query: { limit: '100' } });
  let last: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { https_edges: edges, next_page_uri: next } = response.json as Json;
    last = (edges as Json[]).map(({ id }) => String(id)).at(-1) ?? last;
    if (next === null && last !== undefined) {
      return last;
    }
    const why = 'It is the URI of the next page.';
    response = await follow(session, next, { operationId: 'listEdges', why });
  }
  throw new NotPossible('there are too many edges to find the oldest one');
}

/** The URI of the second page has a cursor, wherever it is: `before_id` is too much there. */
async function refuseBothBeginnings(steps: Steps): Promise<void> {
  const { session, implementation } = steps;
  const { items } = await steps.createSome({ items: 5 });
  const page = (await steps.succeed('list', { query: { limit: '1' } })).json as Json;
  const next = page['next_page_uri'] ?? undefined;
  if (next === undefined) {
    throw new NotPossible('no page follows the first one, though others exist');
  }
  const second = reachable(session, next);
  const separator = second.includes('?') ? '&' : '?';
  const target = `${second}${separator}before_id=${steps.idOf(elementAt(items, 4))}`;
  const response = await session.send({ method: 'GET', target });
  const why = 'Two parameters name the beginning of the page.';
  const list = session.operation('listEdges');
  expectRefusal(implementation, list, response, { statuses: [400], why });
  const due = { codes: ['not_allowed_here'], parameter: 'before_id', clause: PARAMETER };
  expectReported(response, [due]);
}

/** Modules for which the service picks the version. */
const WITHOUT_VERSION: Json[] = [
  {},
  { enabled: true },
  { terminate_at: 'edge' },
  { min_version: null },
];

/** The same change of an edge, which had one version before, and then another one. */
async function tryOmittedVersion(termination: Json, steps: Steps): Promise<void> {
  const edge = await steps.createOne();
  const picked: unknown[] = [];
  for (const version of ['1.2', '1.3']) {
    await steps.update(edge, { tls_termination: { min_version: version } });
    const { shown } = await steps.update(edge, { tls_termination: termination });
    picked.push((shown['tls_termination'] as Json)['min_version']);
  }
  const [afterOne, afterOther] = picked;
  expectSame('The version that the edge had before was merged', afterOther, afterOne);
}

/** Without `limit`, too: a service may build that page in another way. */
const CASES = [0, 2, 4].flatMap((at) => [1, 3, undefined].map((limit) => ({ at, limit })));

export const edgeLaws = [
  law(
    {
      id: 'edges.echo.texts',
      origin: 'source §4.1',
      clause: EDGE_CREATE,
      sentence: 'Description and metadata are kept and read to the byte, whatever they hold.',
    },
    forEach('texts', TEXTS, (text, steps) => keeps({ description: text, metadata: text }, steps)),
  ),
  law(
    {
      id: 'edges.echo.lists',
      origin: 'source §4.1',
      clause: EDGE_CREATE,
      sentence:
        'Lists are kept and read in their order and with all that they ' +
        'hold, and so are modules beside each other.',
    },
    (implementation) => forEach('lists and modules', oddLists(implementation), keeps),
  ),
  law(
    {
      id: 'edges.sent-again',
      origin: 'D04',
      clause: EDGE_CREATE,
      quotes: ['**What was read can be sent again'],
      sentence:
        'An edge can be created from what was read, with the ids of its Refs in place of the Refs.',
    },
    (implementation) =>
      forAll('any edge', edgeBodies(implementation), async (body, steps) => {
        const shown = await steps.read(await steps.createOne(body));
        const again = (await steps.createOne(sentAgain(shown))).shown;
        for (const name of MEMBERS) {
          expectSame(`\`${name}\` was sent as it was read`, again[name], shown[name]);
        }
      }),
  ),
  law(
    {
      id: 'edges.no-idempotency-keys',
      origin: 'D41',
      clause: INFO,
      quotes: ['There are no idempotency keys'],
      sentence:
        'A creation that is sent again with the same `Idempotency-Key` creates another edge.',
    },
    once('the same request twice', async (steps) => {
      const input = { json: steps.bare(), headers: { 'idempotency-key': randomUUID() } };
      const both = [await steps.succeed('create', input), await steps.succeed('create', input)];
      const got = both.map(({ json }) => (json as Json)['id']);
      expectThat(got[0] !== got[1], 'The second creation is that of the first.', {
        expected: 'two ids',
        got,
      });
    }),
  ),
  law(
    {
      id: 'edges.min-version.kept',
      origin: 'source §2.4',
      clause: `${AT.schemas}/EndpointTLSTermination/properties/min_version`,
      sentence: 'A `min_version` that is accepted is in the response and is read back.',
    },
    // The source does not show which versions there are: by it alone, a service may know others.
    forEach('TLS versions', ['1.2', '1.3'], async (min_version, steps) => {
      const unknown = `the service does not know the TLS version ${min_version}`;
      for (const shown of await moduleOf(
        steps,
        'tls_termination',
        { enabled: true, min_version },
        unknown,
      )) {
        expectSame('`min_version` is not the one that was sent', shown, { min_version });
      }
    }),
  ),
  law(
    {
      id: 'edges.refs',
      origin: 'source §2.3',
      clause: `${AT.schemas}/Ref`,
      sentence: 'Each Ref has the `id` that was sent, and a `uri` that no other Ref has.',
    },
    once('certificate authorities', async (steps) => {
      const { testData, origin } = edgeImplementation(steps.implementation);
      const known = testData.certificateAuthorityIds;
      const some = known.length > 0 ? known : ['ca_conformance', 'ca_conformance_2'];
      const ids = some.slice(0, origin === 'all' ? 2 : 1);
      const value = { enabled: true, certificate_authority_ids: ids };
      const unknown = 'needs a certificate authority that exists: give --certificate-authority-id';
      for (const shown of await moduleOf(steps, 'mutual_tls', value, unknown)) {
        // A service may show one Ref or a list.
        const { certificate_authorities: found } = (shown ?? {}) as Json;
        const refs = [found].flat() as (Json | null | undefined)[];
        for (const [index, id] of ids.entries()) {
          const ref = refs[index];
          // That `uri` is always there was decided (D04).
          const hasUri =
            typeof ref?.['uri'] === 'string' || (origin === 'source' && ref?.['uri'] === undefined);
          const details = { expected: `{"id": "${id}", "uri": …}`, got: found };
          expectThat(ref?.['id'] === id && hasUri, 'A Ref lacks its `id` or its `uri`.', details);
        }
        expectOwnUris(found);
      }
    }),
  ),
  ofBodies(
    {
      id: 'edges.defaults.enabled',
      origin: 'source §2',
      clause: `${AT.schemas}/Enabled/default`,
      sentence: 'A module is enabled unless it says otherwise.',
    },
    [{ mutual_tls: {} }, { tls_termination: {} }, { mutual_tls: {}, tls_termination: {} }],
    (shown, body) => {
      for (const name of Object.keys(body)) {
        expectSame(`\`${name}.enabled\` was left out`, shown[name], { enabled: true });
      }
    },
  ),
  ofBodies(
    {
      id: 'edges.defaults.terminate-at',
      origin: 'D08',
      clause: `${AT.schemas}/TerminateAt/default`,
      sentence: '`terminate_at` is `edge` unless it says otherwise.',
    },
    [{ tls_termination: {} }, { tls_termination: { min_version: '1.3' } }],
    ({ tls_termination }) =>
      expectSame('`terminate_at` was left out', tls_termination, { terminate_at: 'edge' }),
  ),
  ofBodies(
    {
      id: 'edges.defaults.min-version',
      origin: 'D07',
      clause: `${TERMINATION}/min_version/default`,
      sentence:
        '`min_version` reads back as a version that the service picks when it is omitted or null.',
    },
    [{}, { min_version: null }, { terminate_at: 'edge' }].map((tls_termination) => ({
      tls_termination,
    })),
    (shown) => {
      const got = (shown['tls_termination'] as Json | null)?.['min_version'];
      expectThat(typeof got === 'string', '`min_version` was omitted, and no default is shown.', {
        expected: 'a version',
        got,
      });
    },
  ),
  extendedLaw(
    {
      id: 'edges.update.min-version',
      origin: 'D11',
      clause: PATCH,
      quotes: ['| a value |'],
      sentence: 'A `min_version` that a change omits does not depend on the one before.',
    },
    forEach('what a change has', WITHOUT_VERSION, tryOmittedVersion),
  ),
  ofBodies(
    {
      id: 'edges.upstream.min-version',
      origin: 'source §2.4',
      clause: `${AT.schemas}/EndpointTLSTermination/if`,
      sentence: 'With `terminate_at: upstream`, `min_version` is null.',
    },
    [{}, { min_version: null }].map((more) => ({
      tls_termination: { terminate_at: 'upstream', ...more },
    })),
    ({ tls_termination }) =>
      expectSame('TLS passes through', tls_termination, {
        terminate_at: 'upstream',
        min_version: null,
      }),
  ),
  ofBodies(
    {
      id: 'edges.null-module',
      origin: 'D04',
      clause: `${EDGE_CREATE}/properties/mutual_tls/oneOf`,
      quotes: ['In a create request'],
      sentence: 'A module that is sent as null is as one that is left out.',
    },
    [{ mutual_tls: null }, { tls_termination: null }, { mutual_tls: null, tls_termination: null }],
    (shown) =>
      expectSame('The modules are null', shown, { mutual_tls: null, tls_termination: null }),
  ),
  extendedLaw(
    {
      id: 'edges.list.before-id',
      origin: 'D16',
      clause: PARAMETER,
      sentence:
        'With `before_id`, a page has the edges after the one with this id, ' +
        'and its links lead through all that are older.',
    },
    forEach('the first, the middle and the last', CASES, async ({ at, limit }, steps) => {
      const { items } = await steps.createSome({ items: 5 });
      await expectOlder(steps, items, at, limit);
    }),
    // Others may make one meanwhile, but not each time.
    once('the newest of all', async (steps) => {
      for (let times = 0; times < 10; times++) {
        const { items } = await steps.createSome({ items: 2 });
        await expectOlder(steps, items, 1, 1);
      }
    }),
    once('the oldest of all', expectNothingOlder),
    once('the `uri` of the page', async (steps) => {
      const { place, items } = await steps.createSome({ items: 5 });
      const reading = { limit: 2, query: { before_id: steps.idOf(items[3]!) } };
      await expectPageUri(steps, { place, items, at: 3, reading });
    }),
  ),
  extendedLaw(
    {
      id: 'edges.list.before-id.deleted',
      origin: 'D16',
      clause: PARAMETER,
      sentence:
        'With the `before_id` of an edge that was deleted, the page ' +
        'begins where it was, or the request is refused.',
    },
    forEach('the first, the middle and the last', [0, 2, 4], async (at, steps) => {
      const { items } = await steps.createSome({ items: 5 });
      await steps.remove(items[at]!);
      const { session, implementation } = steps;
      const response = await session.call('listEdges', {
        query: { before_id: steps.idOf(items[at]!) },
      });
      if (response.status !== 400) {
        return expectOlder(steps, items, at, 1);
      }
      const why = 'No edge has this id.';
      expectRefusal(implementation, session.operation('listEdges'), response, {
        statuses: [400],
        why,
      });
      expectReported(response, [{ codes: ['format'], parameter: 'before_id', clause: PARAMETER }]);
    }),
  ),
  extendedLaw(
    {
      id: 'edges.list.before-id.cursor',
      origin: 'D16',
      clause: PARAMETER,
      quotes: ['Six errors have no keyword', 'It is whatever tells'],
      sentence: '`before_id` together with the cursor of a page is refused.',
    },
    once('the cursor of the second page', refuseBothBeginnings),
  ),
];
