/** What the model says of sequences and races: also what TLS passed through disallows (D09), and one sign-in (D21). */
import fc from 'fast-check';
import { expectStatus, refuse } from '../../engine/http/expect-response.ts';
import type { Session } from '../../engine/http/session.ts';
import { ROUNDS } from '../../engine/laws/races.ts';
import { forAll, forEach } from '../../engine/laws/law.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { type ApiRule, AT, ATOMIC, core, extended, INFO, rule } from '../define.ts';
import {
  type Command,
  createEdge,
  createRoute,
  type History,
  look,
  patchEdge,
  patchRoute,
  removeRoute,
  runCommand,
  runHistory,
  runStory,
  started,
  stories,
} from '../model/service.ts';
import {
  allModules,
  type Json,
  MODULE_NAMES,
  type ModuleName,
  MODULES,
  SIGN_IN,
  WITH_UPSTREAM,
} from '../modules.ts';
import { PAIRS, routes } from '../resources/routes.ts';
import { edgeImplementation } from '../tracker.ts';
import { BARE, ROUTE_CREATE } from '../values/bodies.ts';

const UPSTREAM = { tls_termination: { terminate_at: 'upstream' } };
const AT_EDGE = { tls_termination: { terminate_at: 'edge' } };
const DISALLOWED = MODULE_NAMES.filter((name) => !WITH_UPSTREAM.includes(name));
const PASSES = 'With `terminate_at: upstream`';
const CHANGED = { description: 'changed' };

function allowed(form: 'full' | 'minimal'): Json {
  return Object.fromEntries(WITH_UPSTREAM.map((name) => [name, MODULES[name][form]]));
}

const ALLOWED = allowed('minimal');
const SWITCHED = createEdge(UPSTREAM);
const SWITCH = patchEdge(UPSTREAM);
/** Ways to a switched edge with a route: made so, or changed, before the route or after it. */
const WAYS: readonly Command[][] = [
  [SWITCHED, createRoute(ALLOWED)],
  [createEdge(), createRoute(ALLOWED), SWITCH],
  [createEdge(), SWITCH, createRoute(ALLOWED)],
  [SWITCHED, createRoute(ALLOWED), patchEdge(AT_EDGE), SWITCH],
];

/** A story for each other module. Whether it is enabled makes no difference: such a module is not taken at all. */
function withEachOther(storyWith: (module: Json, switched: Command[]) => Command[]) {
  const modules = DISALLOWED.flatMap((name) =>
    [MODULES[name].full, MODULES[name].minimal].map((module) => ({ [name]: module })),
  );
  return stories('each other module', modules, (module, index) =>
    storyWith(module, WAYS[index % WAYS.length]!),
  );
}

/** What takes a disallowed module away, where there is one. */
const REMOVED: Command[][] = [[], [patchRoute({ compression: null })], [{ do: 'deleteRoute' }]];

const upstreamLaws = [
  extended(
    rule('routes.upstream.create', 'D09', AT.conflict, PASSES),
    'On an edge that passes TLS through, a new route takes `backend` and `ip_restriction` only: others are refused with 409.',
    withEachOther((module, switched) => [
      ...switched,
      createRoute({ ...ALLOWED, match: '/new', ...module }),
    ]),
  ),
  extended(
    rule('routes.upstream.update', 'D09', AT.conflict, PASSES),
    'On an edge that passes TLS through, a route is not given other modules than `backend` and `ip_restriction`: 409.',
    withEachOther((module, switched) => [
      ...switched,
      patchRoute({ backend: MODULES.backend.full, ...module }),
    ]),
  ),
  extended(
    rule('routes.upstream.allowed', 'D09', AT.createRoute),
    'On an edge that passes TLS through, routes take `backend` and `ip_restriction`, and null for the others.',
    forAll('nulls beside them', fc.subarray(DISALLOWED), (names, session) => {
      const nulls = Object.fromEntries(names.map((name) => [name, null]));
      const change = patchRoute({ ...nulls, ...allowed('full'), ...CHANGED });
      return runStory([SWITCHED, createRoute({ ...ALLOWED, ...nulls }), change], session);
    }),
  ),
  extended(
    rule('edges.update.upstream.routes', 'D09', AT.conflict, '| 409 | `conflict`'),
    'An edge with a route that has other modules than `backend` and `ip_restriction` is not switched to pass TLS through: 409.',
    withEachOther((module) => [
      createEdge({ description: 'before' }),
      createRoute({ ...ALLOWED, match: '/fine' }),
      createRoute(module),
      patchEdge({ ...UPSTREAM, ...CHANGED }),
    ]),
  ),
  extended(
    rule('edges.update.upstream.mutual-tls', 'D09', AT.conflict, PASSES),
    'An edge has `mutual_tls` or passes TLS through: a change that makes it both is refused with 409.',
    forEach(
      'switched beside it, and added to a switched edge',
      [{}, { enabled: false }].flatMap((mutual_tls) => [
        [createEdge({ mutual_tls }), patchEdge({ ...UPSTREAM, ...CHANGED })],
        ...WAYS.map((switched) => [...switched, patchEdge({ mutual_tls, ...CHANGED })]),
      ]),
      runStory,
    ),
  ),
  extended(
    rule('edges.update.upstream.together', 'D09', AT.updateEdge),
    'One change takes `mutual_tls` away and passes TLS through, or the other way round.',
    (implementation) => {
      const { testData } = edgeImplementation(implementation);
      const mutual_tls = {
        certificate_authority_ids: testData.certificateAuthorityIds.slice(0, 1),
      };
      const there = [createEdge({ mutual_tls }), patchEdge({ ...UPSTREAM, mutual_tls: null })];
      // Without a `tls_termination` at all, nothing is passed through either.
      const back = [AT_EDGE, { tls_termination: null }].map((edge) =>
        patchEdge({ ...edge, mutual_tls: {} }),
      );
      return forEach('there, and back', [there, ...back.map((one) => [SWITCHED, one])], runStory);
    },
  ),
  extended(
    rule('edges.update.upstream.allowed', 'D09', AT.updateEdge),
    'An edge whose routes have `backend` and `ip_restriction` only can be switched to pass TLS through.',
    stories(
      'allowed modules, and others that are removed with their route or without',
      REMOVED,
      (removed) => [
        createEdge(),
        createRoute(removed.length > 0 ? { ...ALLOWED, compression: {} } : ALLOWED),
        ...removed,
        SWITCH,
      ],
    ),
  ),
  extended(
    rule('edges.update.upstream.back', 'D09', AT.updateEdge),
    'An edge that no longer passes TLS through takes every module again.',
    stories(
      'by edge, by default and by null',
      [{ terminate_at: 'edge' }, {}, null],
      (tls_termination, index) => [
        ...WAYS[index + 1]!,
        patchEdge({ tls_termination }),
        patchRoute({ compression: {} }),
        patchEdge({ mutual_tls: {} }),
        createRoute({ match: '/new', ...allModules('minimal') }),
      ],
    ),
  ),
];

const AT_MOST_ONE = 'At most one of `oauth`';

/** Left out, `enabled` is true: saying it and not saying it are the same. */
function enabled(name: ModuleName, said = false): Json {
  return { [name]: { ...MODULES[name].minimal, ...(said ? { enabled: true } : {}) } };
}

const disabled = (name: ModuleName): Json => ({
  [name]: { ...MODULES[name].minimal, enabled: false },
});

/** A story of a new edge for each two of them, in both orders. */
function ofTwo(label: string, storyOf: (there: ModuleName, added: ModuleName) => Command[]) {
  const pairs = SIGN_IN.flatMap((there) =>
    SIGN_IN.filter((name) => name !== there).map((name) => [there, name] as const),
  );
  return stories(label, pairs, (pair) => [createEdge(), ...storyOf(...pair)]);
}

const oneEnabledLaws = [
  extended(
    rule('routes.authentication.one-request', 'D21', `${ROUTE_CREATE}/if`, AT_MOST_ONE),
    'Two of `oauth`, `saml` and `oidc` that are enabled in one request are refused with 400.',
    ...['neither', 'one', 'both'].map((who) =>
      ofTwo(`two enabled, of which ${who} says it`, (there, added) => {
        const two = { ...enabled(there, who !== 'neither'), ...enabled(added, who === 'both') };
        return [createRoute(two), createRoute({}), patchRoute({ ...two, ...CHANGED })];
      }),
    ),
  ),
  extended(
    rule('routes.authentication.stored', 'D21', AT.conflict, AT_MOST_ONE, '| 409 | `conflict`'),
    'Enabling one of `oauth`, `saml` and `oidc` beside another that is enabled is refused with 409, and changes nothing.',
    ofTwo('beside an enabled one', (there, added) => [
      createRoute(enabled(there)),
      ...[false, true].map((said) => patchRoute({ ...enabled(added, said), ...CHANGED })),
    ]),
    ofTwo(
      'beside one that a change enabled, until another change takes it away',
      (there, added) => [
        createRoute({}),
        patchRoute(enabled(there)),
        patchRoute({ ...enabled(added), ...CHANGED }),
        patchRoute({ [there]: null }),
        patchRoute(enabled(added)),
        patchRoute({ ...enabled(there), ...CHANGED }),
      ],
    ),
    ofTwo('enabling one that is there', (there, added) => [
      createRoute({ ...enabled(there, true), ...disabled(added) }),
      patchRoute(enabled(added, true)),
    ]),
  ),
  extended(
    rule('routes.authentication.disabled', 'D21', AT.updateRoute, AT_MOST_ONE),
    'One of them may be enabled beside others that are disabled.',
    stories('in one request', SIGN_IN, (name) => [
      createEdge(),
      createRoute(Object.assign({}, ...SIGN_IN.map(disabled), enabled(name, true)) as Json),
    ]),
    ofTwo('one after the other', (there, added) => [
      createRoute(disabled(there)),
      patchRoute(enabled(added)),
    ]),
    ofTwo('beside one that one change enabled and another disabled', (there, added) => [
      createRoute({}),
      patchRoute(enabled(there)),
      patchRoute(disabled(there)),
      patchRoute(enabled(added)),
    ]),
    ofTwo('a disabled one beside an enabled one', (there, added) => [
      createRoute(enabled(there)),
      patchRoute(disabled(added)),
    ]),
  ),
];

const SPELLINGS: Json[][] = [
  '/a /A',
  '/a /a/',
  '/a //a',
  '/é /%C3%A9',
  '/%c3%a9 /%C3%A9',
  '/é /e',
  '/\u00e9 /e\u0301',
  'a.example A.example',
  'a.example a.example/',
].map((spellings) => spellings.split(' ').map((match) => ({ ...BARE, match })));

const BOTH_TYPES = [...new Set(PAIRS.map(({ match }) => match))].map((match) =>
  PAIRS.filter((pair) => pair.match === match),
);

const beside = (routesOf: readonly Json[][]) =>
  stories('beside each other', routesOf, (bodies) => [
    createEdge(),
    ...bodies.map((body) => createRoute(body)),
  ]);

const matchLaws = [
  // That a pair of match and match type is unique on its edge is a law of any resource.
  extended(
    rule('routes.match.other-edge', 'D18', AT.createRoute),
    'Routes of two edges may have the same match.',
    stories('the same pair on another edge', PAIRS, (pair) => [
      createEdge(),
      createEdge(),
      createRoute(pair),
      createRoute(pair, 1),
    ]),
  ),
  extended(
    rule('routes.match.other-type', 'D18', AT.createRoute),
    'Two routes of one edge may have the same match with different match types.',
    beside(BOTH_TYPES),
  ),
  extended(
    rule('routes.match.as-text', 'D18', `${AT.schemas}/Match`),
    'Matches are compared as text: two spellings of one path or host are two matches.',
    beside(SPELLINGS),
  ),
];

const { backend, ip_restriction, circuit_breaker, oauth, oidc } = MODULES;

// Few of each, so that commands collide.
const two = fc.nat({ max: 1 });
const four = fc.nat({ max: 3 });

/** @param rest as many values as the command has numbers, and what it sends */
function command(
  name: Command['do'],
  rest: { [Key in keyof Command]?: fc.Arbitrary<unknown> },
): fc.Arbitrary<Command> {
  return fc.record({ do: fc.constant(name), ...rest }) as unknown as fc.Arbitrary<Command>;
}

const source = { subscription: two, type: four };
const SOURCES: fc.WeightedArbitrary<Command>[] = [
  { weight: 4, arbitrary: command('createEventSource', source) },
  { weight: 1, arbitrary: command('getEventSource', source) },
  {
    weight: 2,
    arbitrary: command('listEventSources', {
      subscription: two,
      limit: fc.integer({ min: 1, max: 5 }),
    }),
  },
  { weight: 3, arbitrary: command('updateEventSource', { ...source, to: fc.option(four) }) },
  { weight: 2, arbitrary: command('deleteEventSource', source) },
];

const pair = {
  match: fc.constantFrom('/', '/a', 'a.example'),
  match_type: fc.constantFrom('path_prefix', 'exact_path'),
};
/** One authentication module at most, so that a body alone breaks no rule (D21): two meet in the route. */
const modules: fc.Arbitrary<Json> = fc.constantFrom<Json[]>(
  {},
  { backend: backend.minimal },
  { backend: backend.full, ip_restriction: ip_restriction.full },
  { compression: {} },
  { circuit_breaker: circuit_breaker.full },
  { oauth: oauth.minimal },
  { oidc: oidc.minimal },
  { oidc: oidc.full, description: 'disabled' },
);
const body = fc.tuple(fc.record(pair), modules).map(([of, rest]) => ({ ...of, ...rest }));
const routePatch: fc.Arbitrary<Json> = fc.oneof(
  modules,
  fc.record(pair, { requiredKeys: [] }),
  fc.constantFrom<Json[]>(
    { compression: null },
    { circuit_breaker: {} },
    { description: null, metadata: 'changed' },
    { oauth: null },
    { oauth: null, oidc: oidc.minimal },
    { oidc: null, oauth: oauth.minimal },
    { backend: null, ip_restriction: null },
  ),
);
const edgePatch = fc.constantFrom<Json[]>(
  UPSTREAM,
  AT_EDGE,
  { mutual_tls: {} },
  { mutual_tls: null },
  ...['a', 'b'].map((text) => ({ description: text, metadata: text })),
);
const ROUTES: fc.WeightedArbitrary<Command>[] = [
  { weight: 5, arbitrary: command('createRoute', { edge: two, body }) },
  { weight: 1, arbitrary: command('getRoute', { route: four }) },
  { weight: 5, arbitrary: command('updateRoute', { route: four, body: routePatch }) },
  { weight: 1, arbitrary: command('deleteRoute', { route: four }) },
  { weight: 3, arbitrary: command('updateEdge', { edge: two, body: edgePatch }) },
  { weight: 2, arbitrary: command('getEdge', { edge: two }) },
];
const EDGES: fc.WeightedArbitrary<Command>[] = [
  { weight: 1, arbitrary: command('deleteEdge', { edge: two }) },
  {
    weight: 1,
    arbitrary: command('createEdge', { body: fc.constantFrom<Json>({}, { description: 'new' }) }),
  },
];

// Sequences that chance takes too seldom: what one step does to the next but one.
const create = (match: string, more: Json = {}) => createRoute({ match, ...more });
const patch = (route: number, change: Json) => patchRoute(change, route);
const LOOK = look(0);

const TWO_EDGES: Command[] = [createEdge(), createEdge({ description: 'another' })];

const both = create('/', { backend: backend.full, ip_restriction: ip_restriction.full });
const compress = patch(0, { compression: {} });

const ROUTE_STORIES: Command[][] = [
  // A match is left, taken by another route, and free again.
  [
    create('/'),
    patch(0, { match: '/a' }),
    create('/'),
    patch(0, { match: '/' }),
    removeRoute(1),
    patch(0, { match: '/' }),
    create('/a'),
  ],
  // A refused change leaves nothing behind for the next one.
  [
    create('/', { oauth: oauth.minimal }),
    patch(0, { oidc: oidc.minimal, description: 'refused' }),
    patch(0, { metadata: 'next' }),
    LOOK,
    patch(0, { oauth: null }),
    LOOK,
  ],
  // Places move, ids do not.
  [
    create('/'),
    create('/a'),
    create('a.example'),
    removeRoute(0),
    removeRoute(1),
    LOOK,
    create('/b'),
    removeRoute(2),
    LOOK,
    removeRoute(0),
    removeRoute(3),
  ],
  // There and back.
  [
    both,
    SWITCH,
    LOOK,
    create('/a'),
    create('/b', { compression: {} }),
    patch(1, { backend: backend.minimal }),
    compress,
    patchEdge(AT_EDGE),
    LOOK,
    compress,
    SWITCH,
    patch(0, { compression: null }),
    SWITCH,
    LOOK,
  ],
  // Several changes, each of its own.
  [
    create('/', { compression: {} }),
    patch(0, { backend: backend.minimal }),
    patch(0, { circuit_breaker: {} }),
    patch(0, { compression: null }),
    patch(0, { description: null, metadata: 'changed' }),
    LOOK,
  ],
];

const list = (subscription: number, limit: number): Command => ({
  do: 'listEventSources',
  subscription,
  limit,
});
const add = (type: number): Command => ({ do: 'createEventSource', type });
const take = (type: number): Command => ({ do: 'deleteEventSource', type });
const move = (type: number, to: number): Command => ({ do: 'updateEventSource', type, to });

/** Each of add, move and remove follows each, and a list follows all. */
const SOURCE_STORY: Command[] = [
  add(0),
  add(1),
  take(0),
  add(0),
  move(1, 2),
  move(2, 3),
  add(1),
  add(2),
  take(1),
  take(2),
  move(3, 1),
  take(1),
  add(3),
].flatMap((change) => [change, list(0, 3)]);

const LIST = list(0, 100);

/** At once, after a source was added: its move, and readers. */
const MOVE_AND_READERS: Command[] = [move(0, 1), LIST, LIST, { do: 'getEventSource' }];

/** Rounds of writers of one edge and its route, of different members and of the same, and readers. */
const COLLISIONS: Command[][] = [
  [
    patchEdge({ description: 'a', metadata: 'a' }),
    patchEdge({ description: 'b', metadata: 'b' }),
    LOOK,
    LOOK,
  ],
  [compress, patch(0, { backend: backend.minimal }), patchEdge({ mutual_tls: {} }), LOOK],
  [patch(0, { match: '/a' }), create('/a'), LOOK],
  [{ do: 'getRoute' }, LOOK],
];

/** As many long sequences as short ones: most errors of state need several steps before they can show. */
function sequences(
  commands: readonly fc.WeightedArbitrary<Command>[],
  maxLength: number,
): fc.Arbitrary<Command[]> {
  return fc.array(fc.oneof(...commands), { minLength: 1, maxLength, size: 'max' });
}

/** Something that is there, then at most three rounds of at most three commands at once. */
function histories(
  commands: readonly fc.WeightedArbitrary<Command>[],
  first: readonly Command[] = [],
) {
  const one = fc.oneof(...commands);
  const round = fc.array(one, { minLength: 2, maxLength: 3, size: 'max' });
  return fc.record<History>({
    before: fc.array(one, { maxLength: 4, size: 'max' }).map((before) => [...first, ...before]),
    rounds: fc.array(round, { minLength: 1, maxLength: 3, size: 'max' }),
  });
}

async function runSources(commands: Command[], session: Session): Promise<void> {
  const run = await started(session, true);
  // The update is decided by D12, adding twice and unknown types by D15: by the source alone, they say nothing.
  const done = session.implementation.origin === 'all' ? commands : onlyStated(commands);
  for (const one of [...done, list(0, 2), list(1, 3)]) {
    await runCommand(run, one);
  }
}

const runRoutes = (commands: Command[], session: Session) =>
  runStory([...TWO_EDGES, ...commands], session);

/** The commands whose outcome the source document states: each type added at most once before it is read or removed. */
function onlyStated(commands: Command[]): Command[] {
  const there = new Set<string>();
  return commands.filter((one) => {
    const key = `${one.subscription ?? 0} ${one.type ?? 0}`;
    if (one.do === 'createEventSource') {
      return !there.has(key) && there.add(key);
    }
    if (one.do === 'deleteEventSource') {
      return there.delete(key);
    }
    if (one.do === 'getEventSource') {
      return there.has(key);
    }
    return one.do === 'listEventSources';
  });
}

const withSources = (history: History, session: Session) => runHistory(history, session, true);

const MOVES = { before: [add(0)], rounds: [MOVE_AND_READERS] };
const CHANGES = { before: [...TWO_EDGES, create('/')], rounds: COLLISIONS };

/** A law of commands at once on an edge with this before: the model explains the responses, and what is there then. */
function race(stated: ApiRule, sentence: string, before: Command[], commands: Command[]) {
  const history = { before: [createEdge(), ...before], rounds: [commands, [look(0)]] };
  const rounds = ROUNDS.map(() => history);
  return extended(stated, sentence, forEach('both at once', rounds, runHistory));
}

const ROUTE = [createRoute({})];

const raceLaws = [
  race(
    rule('edges.race.upstream', 'D09', AT.conflict),
    'Where an edge is switched to upstream while its route is given a module, one of the two is refused with 409.',
    ROUTE,
    [SWITCH, patchRoute({ compression: {} })],
  ),
  extended(
    rule('edges.race.delete-and-create', 'D10', AT.deleteEdge),
    'A route that is created or changed while its edge is deleted does not outlive the edge.',
    forAll(
      'a deletion among creations and changes',
      fc.integer({ min: 1, max: 4 }),
      async (count, session) => {
        const steps = new Steps(session, routes);
        const place = await steps.place({ items: count + 1 });
        const [first, ...bodies] = place.bodies as [Json, ...Json[]];
        const { path } = place;
        const route = await steps.create(place, first);
        const json = { description: 'changed' };
        const responses = await session.together(() => [
          ...bodies.map((one) => session.call('createRoute', { path, json: one })),
          session.call('updateRoute', { path: route.path, json }),
          session.call('updateEdge', { path, json }),
          session.call('deleteEdge', { path }),
        ]);
        const gone = 'The edge was deleted.';
        await refuse(session, 'getEdge', { path }, [404], gone);
        await steps.expectGone(route, gone);
        for (const response of responses.slice(0, -1)) {
          expectStatus(response, [200, 201, 404], 'The edge is there, or it is not.');
          const { id: route_id } = response.json as { id: string };
          if (response.status === 201) {
            await refuse(session, 'getRoute', { path: { ...path, route_id } }, [404], gone);
          }
        }
      },
    ),
  ),
  race(
    rule('routes.race.authentication', 'D21', AT.conflict),
    'Where two authentication modules are enabled at once, one of the two is refused with 409.',
    ROUTE,
    [patchRoute({ oauth: MODULES.oauth.minimal }), patchRoute({ oidc: MODULES.oidc.minimal })],
  ),
  race(
    rule('routes.race.lost-update', 'D10', AT.createRoute),
    'A route that is created while the edge is changed is there afterwards, and so is the change.',
    [],
    [createRoute({}), patchEdge({ description: 'raced' })],
  ),
];

export const modelLaws = [
  ...matchLaws,
  ...upstreamLaws,
  ...oneEnabledLaws,
  ...raceLaws,
  extended(
    rule('routes.model', 'D10', AT.createRoute),
    'After creations, changes, deletions and reads in any order, the routes of two edges are those that result.',
    forAll('sequences of commands', sequences(ROUTES, 30), runRoutes),
    forEach('sequences that tend to go wrong', ROUTE_STORIES, runRoutes),
  ),
  core(
    rule('sources.model', 'source §6', '/tags/1'),
    'After additions, changes, removals and reads in any order, two subscriptions are the sets of types that result.',
    forAll('sequences of commands', sequences(SOURCES, 24), runSources),
    forEach('each kind of change after each other', [SOURCE_STORY], runSources),
  ),
  core(
    rule('sources.linearizable', 'D12', INFO, ATOMIC),
    'Requests on event sources at once have the effect of the same requests one after the other, in some order.',
    forAll('requests at once', histories(SOURCES), withSources),
    forEach('readers of a source that moves', [MOVES, MOVES, MOVES], withSources),
  ),
  extended(
    rule('model.linearizable', 'D11', INFO, ATOMIC),
    'Requests on edges, routes and sources at once have the effect of the same requests one after the other, in some order.',
    forAll(
      'requests at once',
      histories([...SOURCES, ...ROUTES, ...EDGES], TWO_EDGES),
      withSources,
    ),
    forEach('a route among changes of its edge', [CHANGES, CHANGES, CHANGES], runHistory),
  ),
];
