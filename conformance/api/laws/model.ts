/**
 * Sequences and races of commands, held against a model of the service: what no single law says; and requests at once that
 * have to do with each other beyond one edge or route.
 */
import fc from 'fast-check';
import { expectStatus, refuse } from '../../engine/http/expect-response.ts';
import type { Session } from '../../engine/http/session.ts';
import { forAll, forEach, Steps } from '../../engine/laws/steps.ts';
import { ROUNDS } from '../../engine/laws/races.ts';
import { type ApiRule, AT, ATOMIC, core, extended, INFO } from '../define.ts';
import { type History, runCommand, runHistory, runStory, started } from '../model/run.ts';
import { type Command, createEdge, createRoute, look, patchEdge, patchRoute, removeRoute } from '../model/service.ts';
import { type Json, MODULES } from '../modules.ts';
import { routes } from '../resources/routes.ts';

const { backend, ip_restriction, circuit_breaker, oauth, oidc } = MODULES;

// Few of each, so that commands collide.
const two = fc.nat({ max: 1 });
const four = fc.nat({ max: 3 });

/** @param rest as many values as the command has numbers, and what it sends */
function command(name: Command['do'], rest: { [Key in keyof Command]?: fc.Arbitrary<unknown> }): fc.Arbitrary<Command> {
  return fc.record({ do: fc.constant(name), ...rest }) as unknown as fc.Arbitrary<Command>;
}

const source = { subscription: two, type: four };
const SOURCES: fc.WeightedArbitrary<Command>[] = [
  { weight: 4, arbitrary: command('createEventSource', source) },
  { weight: 1, arbitrary: command('getEventSource', source) },
  { weight: 2, arbitrary: command('listEventSources', { subscription: two, limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 3, arbitrary: command('updateEventSource', { ...source, to: fc.option(four) }) },
  { weight: 2, arbitrary: command('deleteEventSource', source) },
];

const pair = {
  match: fc.constantFrom('/', '/a', 'a.example'),
  match_type: fc.constantFrom('path_prefix', 'exact_path'),
};
/** One authentication module at most, so that a body alone breaks no rule (D21): two meet in the route. */
const modules: fc.Arbitrary<Json> = fc.constantFrom<Json>(
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
  fc.constantFrom<Json>(
    { compression: null },
    { circuit_breaker: {} },
    { oauth: null },
    { oauth: null, oidc: oidc.minimal },
    { oidc: null, oauth: oauth.minimal },
    { description: null, metadata: 'changed' },
    { backend: null, ip_restriction: null },
  ),
);
const edgePatch = fc.constantFrom<Json>(
  { tls_termination: { terminate_at: 'upstream' } },
  { tls_termination: { terminate_at: 'edge' } },
  { description: 'a', metadata: 'a' },
  { description: 'b', metadata: 'b' },
  { mutual_tls: {} },
  { mutual_tls: null },
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
  { weight: 1, arbitrary: command('createEdge', { body: fc.constantFrom<Json>({}, { description: 'new' }) }) },
];

// Sequences that chance takes too seldom: what one step does to the next but one.
const create = (match: string, more: Json = {}) => createRoute({ match, ...more });
const patch = (route: number, change: Json) => patchRoute(change, route);
const SWITCH = patchEdge({ tls_termination: { terminate_at: 'upstream' } });
const BACK = patchEdge({ tls_termination: { terminate_at: 'edge' } });
const LOOK = look(0);

const TWO_EDGES: Command[] = [createEdge(), createEdge({ description: 'another' })];

const both = create('/', { backend: backend.full, ip_restriction: ip_restriction.full });
const compress = patch(0, { compression: {} });

const ROUTE_STORIES: Command[][] = [
  // A match is left, taken by another route, and free again.
  [
    ...[create('/'), patch(0, { match: '/a' }), create('/')],
    ...[patch(0, { match: '/' }), removeRoute(1), patch(0, { match: '/' }), create('/a')],
  ],
  // A refused change leaves nothing behind for the next one.
  [
    create('/', { oauth: oauth.minimal }),
    patch(0, { oidc: oidc.minimal, description: 'refused' }),
    ...[patch(0, { metadata: 'next' }), LOOK, patch(0, { oauth: null }), LOOK],
  ],
  // Places move, ids do not.
  [
    ...[create('/'), create('/a'), create('a.example'), removeRoute(0), removeRoute(1), LOOK],
    ...[create('/b'), removeRoute(2), LOOK, removeRoute(0), removeRoute(3)],
  ],
  // There and back.
  [
    ...[both, SWITCH, LOOK, create('/a'), create('/b', { compression: {} })],
    ...[patch(1, { backend: backend.minimal }), compress, BACK, LOOK, compress],
    ...[SWITCH, patch(0, { compression: null }), SWITCH, LOOK],
  ],
  // Several changes, each of its own.
  [
    ...[create('/', { compression: {} }), patch(0, { backend: backend.minimal }), patch(0, { circuit_breaker: {} })],
    ...[patch(0, { compression: null }), patch(0, { description: null, metadata: 'changed' }), LOOK],
  ],
];

const list = (subscription: number, limit: number): Command => ({ do: 'listEventSources', subscription, limit });
const add = (type: number): Command => ({ do: 'createEventSource', type });
const take = (type: number): Command => ({ do: 'deleteEventSource', type });
const move = (type: number, to: number): Command => ({ do: 'updateEventSource', type, to });

/** Each of add, move and remove follows each, and a list follows all. */
const SOURCE_STORY: Command[] = [
  ...[add(0), add(1), take(0), add(0), move(1, 2), move(2, 3), add(1)],
  ...[add(2), take(1), take(2), move(3, 1), take(1), add(3)],
].flatMap((change) => [change, list(0, 3)]);

const LIST = list(0, 100);

/** At once, after a source was added: its move, and readers. */
const MOVE_AND_READERS: Command[] = [move(0, 1), LIST, LIST, { do: 'getEventSource' }];

/** Rounds of writers of one edge and its route, of different members and of the same, and readers. */
const COLLISIONS: Command[][] = [
  [patchEdge({ description: 'a', metadata: 'a' }), patchEdge({ description: 'b', metadata: 'b' }), LOOK, LOOK],
  [compress, patch(0, { backend: backend.minimal }), patchEdge({ mutual_tls: {} }), LOOK],
  [patch(0, { match: '/a' }), create('/a'), LOOK],
  [{ do: 'getRoute' }, LOOK],
];

/** As many long sequences as short ones: most errors of state need several steps before they can show. */
function sequences(commands: readonly fc.WeightedArbitrary<Command>[], maxLength: number): fc.Arbitrary<Command[]> {
  return fc.array(fc.oneof(...commands), { minLength: 1, maxLength, size: 'max' });
}

/** Something that is there, then at most three rounds of at most three commands at once. */
function histories(
  commands: readonly fc.WeightedArbitrary<Command>[],
  first: readonly Command[] = [],
): fc.Arbitrary<History> {
  const one = fc.oneof(...commands);
  const round = fc.array(one, { minLength: 2, maxLength: 3, size: 'max' });
  return fc.record({
    before: fc.array(one, { maxLength: 4, size: 'max' }).map((before) => [...first, ...before]),
    rounds: fc.array(round, { minLength: 1, maxLength: 3, size: 'max' }),
  });
}

async function runSources(commands: Command[], session: Session): Promise<void> {
  const run = await started(session, true);
  // The update is decided by D12, adding twice and unknown types by D15: by the source alone, they say nothing.
  const done = session.implementation.origin === 'all' ? commands : onlyStated(commands);
  for (const one of [...done, list(0, 2), list(1, 3)]) await runCommand(run, one);
}

const runRoutes = (commands: Command[], session: Session) => runStory([...TWO_EDGES, ...commands], session);

/** The commands whose outcome the source document states: each type added at most once before it is read or removed. */
function onlyStated(commands: Command[]): Command[] {
  const there = new Set<string>();
  return commands.filter((one) => {
    const key = `${one.subscription ?? 0} ${one.type ?? 0}`;
    if (one.do === 'createEventSource') return !there.has(key) && there.add(key);
    if (one.do === 'deleteEventSource') return there.delete(key);
    if (one.do === 'getEventSource') return there.has(key);
    return one.do === 'listEventSources';
  });
}

const withSources = (history: History, session: Session) => runHistory(history, session, true);

const MOVES = { before: [add(0)], rounds: [MOVE_AND_READERS] };
const CHANGES = { before: [...TWO_EDGES, create('/')], rounds: COLLISIONS };

/** A law of commands at once on an edge with this before: the model explains the responses, and what is there then. */
function race(rule: ApiRule, sentence: string, before: Command[], commands: Command[]) {
  const history = { before: [createEdge(), ...before], rounds: [commands, [look(0)]] };
  const rounds = ROUNDS.map(() => history);
  return extended(rule, sentence, forEach('both at once', rounds, runHistory));
}

const ROUTE = [createRoute({})];

const raceLaws = [
  race(
    ['edges.race.upstream', 'D09', AT.conflict],
    'Where an edge is switched to upstream while its route is given a module, one of the two is refused with 409.',
    ROUTE,
    [patchEdge({ tls_termination: { terminate_at: 'upstream' } }), patchRoute({ compression: {} })],
  ),
  extended(
    ['edges.race.delete-and-create', 'D10', AT.deleteEdge],
    'A route that is created or changed while its edge is deleted does not outlive the edge.',
    forAll('a deletion among creations and changes', fc.integer({ min: 1, max: 4 }), async (count, session) => {
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
        if (response.status === 201) await refuse(session, 'getRoute', { path: { ...path, route_id } }, [404], gone);
      }
    }),
  ),
  race(
    ['routes.race.authentication', 'D21', AT.conflict],
    'Where two authentication modules are enabled at once, one of the two is refused with 409.',
    ROUTE,
    [patchRoute({ oauth: MODULES.oauth.minimal }), patchRoute({ oidc: MODULES.oidc.minimal })],
  ),
  race(
    ['routes.race.lost-update', 'D10', AT.createRoute],
    'A route that is created while the edge is changed is there afterwards, and so is the change.',
    [],
    [createRoute({}), patchEdge({ description: 'raced' })],
  ),
];

export const modelLaws = [
  ...raceLaws,
  extended(
    ['routes.model', 'D10', AT.createRoute],
    'After creations, changes, deletions and reads in any order, the routes of two edges are those that result.',
    forAll('sequences of commands', sequences(ROUTES, 30), runRoutes),
    forEach('sequences that tend to go wrong', ROUTE_STORIES, runRoutes),
  ),
  core(
    ['sources.model', 'source §6', '/tags/1'],
    'After additions, changes, removals and reads in any order, two subscriptions are the sets of types that result.',
    forAll('sequences of commands', sequences(SOURCES, 24), runSources),
    forEach('each kind of change after each other', [SOURCE_STORY], runSources),
  ),
  core(
    ['sources.linearizable', 'D12', INFO, ATOMIC],
    'Requests on event sources at once have the effect of the same requests one after the other, in some order.',
    forAll('requests at once', histories(SOURCES), withSources),
    forEach('readers of a source that moves', [MOVES, MOVES, MOVES], withSources),
  ),
  extended(
    ['model.linearizable', 'D11', INFO, ATOMIC],
    'Requests on edges, routes and sources at once have the effect of the same requests one after the other, in some order.',
    forAll('requests at once', histories([...SOURCES, ...ROUTES, ...EDGES], TWO_EDGES), withSources),
    forEach('a route among changes of its edge', [CHANGES, CHANGES, CHANGES], runHistory),
  ),
];
