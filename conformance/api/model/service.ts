/** The service as data, which no change mutates, so that a search can go back; commands are data, to shrink them. */
import type { CallInput } from '../../engine/http/call.ts';
import { expectEither, expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { holds } from '../../engine/laws/expect-items.ts';
import { isExplained } from '../../engine/laws/linearizability.ts';
import { pick } from '../../engine/laws/resource.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { forEach } from '../../engine/requirements/requirement.ts';
import { type Json, MODULE_NAMES, WITH_UPSTREAM } from '../modules.ts';
import { edges } from '../resources/edges.ts';
import { routes } from '../resources/routes.ts';
import { sources } from '../resources/sources.ts';
import { BARE } from '../values/bodies.ts';
import { isAmbiguous, patched, patchedEdge, shownEdge, shownRoute } from './shown.ts';

interface State {
  /** In the order of creation; undefined once deleted. */
  readonly edges: readonly (Json | undefined)[];
  /** In the order of creation, with the place of the edge; undefined once deleted. */
  readonly routes: readonly ({ edge: number; shown: Json } | undefined)[];
  /** The types of each subscription, in ascending order. */
  readonly sources: readonly (readonly string[])[];
}

/** The outcome of one call: its status, what it shows, and what is there afterwards. */
interface Outcome {
  status: number;
  shown?: Json;
  /** The codes that a refusal may have; default: those of its status. */
  codes?: readonly string[];
  state: State;
}

/** One call: places in the lists of the state, and what is sent. */
interface Step {
  edge: number;
  route: number;
  subscription: number;
  type: string;
  /** The new type of a source; undefined: none is sent (D12). */
  to: string | undefined;
  body: Json;
}

const EMPTY: State = { edges: [], routes: [], sources: [[], []] };

const isUpstream = (edge: Json) =>
  (edge['tls_termination'] as Json | null)?.['terminate_at'] === 'upstream';
const isDisallowed = (route: Json) =>
  MODULE_NAMES.some((name) => !WITH_UPSTREAM.includes(name) && route[name] !== null);

function routesOf(state: State, edge: number): Json[] {
  return state.routes.filter((route) => route?.edge === edge).map((route) => route!.shown);
}

/** The codes of a conflict, none where there is no conflict. @param own the place of the route that is changed */
function conflictsOf(state: State, edge: number, shown: Json, own?: number): string[] {
  const pairOf = ({ match_type, match }: Json) => JSON.stringify([match_type, match]);
  const isSame = (route: Json) => pairOf(route) === pairOf(shown);
  const taken = state.routes.some(
    (route, at) => at !== own && route?.edge === edge && isSame(route.shown),
  );
  const contradicts = isAmbiguous(shown) || (isUpstream(state.edges[edge]!) && isDisallowed(shown));
  return [...(taken ? ['already_exists'] : []), ...(contradicts ? ['conflict'] : [])];
}

function withTypes(state: State, subscription: number, types: readonly string[]): State {
  return { ...state, sources: state.sources.with(subscription, types.toSorted()) };
}

/** 404, or the outcome; without a state, nothing changes. */
type Result = 404 | (Omit<Outcome, 'state'> & Partial<Outcome>);

const TAKEN: Result = { status: 409, codes: ['already_exists'] };
const AMBIGUOUS: Result = { status: 400, codes: ['invalid_request'] };

const OUTCOMES = {
  createEdge(state, { body }) {
    const shown = shownEdge(body);
    return {
      status: 201,
      shown: { ...shown, routes: [] },
      state: { ...state, edges: [...state.edges, shown] },
    };
  },
  getEdge(state, { edge: at }) {
    const edge = state.edges[at];
    if (edge) {
      return { status: 200, shown: { ...edge, routes: routesOf(state, at) } };
    }
    return 404;
  },
  updateEdge(state, { edge: at, body }) {
    const edge = state.edges[at];
    if (!edge) {
      return 404;
    }
    const shown = patchedEdge(edge, body);
    const own = routesOf(state, at);
    if (isUpstream(shown) && (shown['mutual_tls'] !== null || own.some(isDisallowed))) {
      return { status: 409, codes: ['conflict'] };
    }
    return {
      status: 200,
      shown: { ...shown, routes: own },
      state: { ...state, edges: state.edges.with(at, shown) },
    };
  },
  deleteEdge(state, { edge: at }) {
    if (!state.edges[at]) {
      return 404;
    }
    const left = state.routes.map((route) => (route?.edge === at ? undefined : route));
    return {
      status: 204,
      state: { ...state, edges: state.edges.with(at, undefined), routes: left },
    };
  },
  createRoute(state, { edge, body }) {
    if (!state.edges[edge]) {
      return 404;
    }
    const shown = shownRoute(body);
    if (isAmbiguous(shown)) {
      return AMBIGUOUS;
    }
    const codes = conflictsOf(state, edge, shown);
    if (codes.length > 0) {
      return { status: 409, codes };
    }
    return { status: 201, shown, state: { ...state, routes: [...state.routes, { edge, shown }] } };
  },
  getRoute(state, { route: at }) {
    const route = state.routes[at];
    return route ? { status: 200, shown: route.shown } : 404;
  },
  updateRoute(state, { route: at, body }) {
    const route = state.routes[at];
    if (!route) {
      return 404;
    }
    if (isAmbiguous(patched({}, body))) {
      return AMBIGUOUS;
    }
    const shown = patched(route.shown, body);
    const codes = conflictsOf(state, route.edge, shown, at);
    if (codes.length > 0) {
      return { status: 409, codes };
    }
    return {
      status: 200,
      shown,
      state: { ...state, routes: state.routes.with(at, { ...route, shown }) },
    };
  },
  deleteRoute(state, { route: at }) {
    if (!state.routes[at]) {
      return 404;
    }
    return { status: 204, state: { ...state, routes: state.routes.with(at, undefined) } };
  },
  createEventSource(state, { subscription, type }) {
    const types = state.sources[subscription]!;
    if (types.includes(type)) {
      return TAKEN;
    }
    return {
      status: 201,
      shown: { type },
      state: withTypes(state, subscription, [...types, type]),
    };
  },
  getEventSource(state, { subscription, type }) {
    if (state.sources[subscription]!.includes(type)) {
      return { status: 200, shown: { type } };
    }
    return 404;
  },
  listEventSources(state, { subscription }) {
    return {
      status: 200,
      shown: { sources: state.sources[subscription]!.map((type) => ({ type })) },
    };
  },
  updateEventSource(state, { subscription, type: from, to = from }) {
    const types = state.sources[subscription]!;
    if (!types.includes(from)) {
      return 404;
    }
    if (to !== from && types.includes(to)) {
      return TAKEN;
    }
    const moved = types.map((type) => (type === from ? to : type));
    return { status: 200, shown: { type: to }, state: withTypes(state, subscription, moved) };
  },
  deleteEventSource(state, { subscription, type }) {
    const types = state.sources[subscription]!;
    const rest = types.filter((one) => one !== type);
    if (rest.length === types.length) {
      return 404;
    }
    return { status: 204, state: withTypes(state, subscription, rest) };
  },
} satisfies Record<string, (state: State, step: Step) => Result>;

/** Edges, routes and subscriptions are places in what was ever created, types places in those of the run; 0 by default. */
export interface Command {
  do: keyof typeof OUTCOMES;
  edge?: number;
  route?: number;
  subscription?: number;
  type?: number;
  /** The type that a source moves to; null: none is sent. */
  to?: number | null;
  /** The body that is sent for an edge or a route. */
  body?: Json;
  limit?: number;
}

// Short forms of commands; edges and routes count from 0, in the order of creation.
export const createEdge = (body: Json = {}): Command => ({ do: 'createEdge', body });
export const patchEdge = (body: Json): Command => ({ do: 'updateEdge', body });
export const look = (edge: number): Command => ({ do: 'getEdge', edge });
export const createRoute = (body: Json, edge = 0): Command => ({
  do: 'createRoute',
  edge,
  body: { ...BARE, ...body },
});
export const patchRoute = (body: Json, route = 0): Command => ({ do: 'updateRoute', route, body });
export const removeRoute = (route: number): Command => ({ do: 'deleteRoute', route });

/** The ids that the service gives to what the model numbers. */
interface Names {
  edges: string[];
  routes: { edge_id: string; route_id: string }[];
  subscriptions: string[];
  types: string[];
}

/** Below an own edge, an id that no route has. */
const NO_ROUTE = 'conformance-no-route';

function inputOf(names: Names, command: Command): CallInput {
  const { edge, route, subscription, type, to, body } = stepOf(names, command);
  const { do: call } = command;
  if (call.includes('EventSource')) {
    const sent = {
      createEventSource: { type },
      updateEventSource: to === undefined ? {} : { type: to },
    };
    const path = { subscription_id: names.subscriptions[subscription]!, type };
    return { path, json: sent[call as keyof typeof sent] };
  }
  const ofItem = call.endsWith('Route') && call !== 'createRoute';
  const unknown = { edge_id: names.edges[0]!, route_id: NO_ROUTE };
  const path = ofItem ? (names.routes[route] ?? unknown) : { edge_id: names.edges[edge]! };
  return { path, json: /^(create|update)/.test(call) ? body : undefined };
}

function outcomeOf(state: State, names: Names, command: Command): Outcome {
  const result = OUTCOMES[command.do](state, stepOf(names, command));
  if (typeof result === 'number') {
    return { status: result, state };
  }
  return { state, ...result };
}

/** The command with every number taken as a place in what has a name. */
function stepOf(names: Names, command: Command): Step {
  const { edge = 0, route = 0, subscription = 0, type = 0, to = null, body = {} } = command;
  const typeAt = (at: number) => names.types[at % names.types.length]!;
  return {
    edge: edge % names.edges.length,
    // -1 while none has a name: one that is not there.
    route: names.routes.length === 0 ? -1 : route % names.routes.length,
    subscription: subscription % names.subscriptions.length,
    type: typeAt(type),
    to: to === null ? undefined : typeAt(to),
    body,
  };
}

interface Run {
  session: Session;
  names: Names;
  state: State;
  /** What no change moves, as it was first shown: of edges and routes, in the order of their names. */
  fixed: Record<'edges' | 'routes', Json[]>;
  /** Types that somebody else has in a subscription, by its place. */
  foreign: readonly (readonly string[])[];
}

/** A run that begins with nothing, or with two subscriptions. */
export async function started(session: Session, withSubscriptions = false): Promise<Run> {
  const names: Names = { edges: [], routes: [], subscriptions: [], types: [] };
  const run: Run = { session, names, state: EMPTY, fixed: { edges: [], routes: [] }, foreign: [] };
  if (!withSubscriptions) {
    return run;
  }
  const places = await sources.places(session, { items: 4, atLeast: 2, places: 2 });
  names.subscriptions.push(...places.map(({ path }) => path['subscription_id']!));
  names.types.push(...places[0]!.bodies.map(({ type }) => String(type)));
  return { ...run, foreign: places.map(({ foreign }) => foreign) };
}

/** Commands one after the other, and a look at each edge. */
export async function runStory(commands: readonly Command[], session: Session): Promise<void> {
  const run = await started(session);
  for (const one of commands) {
    await runCommand(run, one);
  }
  for (const edge of run.names.edges.keys()) {
    await runCommand(run, look(edge));
  }
}

/** One command: the service does what the model does. */
export async function runCommand(run: Run, command: Command): Promise<void> {
  const { session, names } = run;
  const due = outcomeOf(run.state, names, command);
  if (command.do === 'listEventSources') {
    return expectListed(run, command);
  }
  const operation = session.operation(command.do);
  const input = inputOf(names, command);
  const response = await session[due.status < 300 ? 'callAround' : 'call'](command.do, input);
  if (due.status < 300) {
    expectSuccess(
      session.implementation,
      operation,
      response,
      `${command.do}: the model says ${due.status}.`,
    );
    const shown = shownBy(due, command, run);
    if (shown) {
      expectSame(`${command.do} shows something else than what results`, response.json, shown);
    }
  } else {
    const refused = { input, ...(due.codes ? { codes: due.codes } : {}) };
    expectRefusal(
      session.implementation,
      operation,
      response,
      [due.status],
      `${command.do} must be refused.`,
      refused,
    );
  }
  run.state = due.state;
  nameCreated(run, command, response);
}

function nameCreated(
  { names, state, fixed }: Run,
  command: Command,
  { status, json }: HttpResponse,
): void {
  if (status !== 201 || command.do === 'createEventSource') {
    return;
  }
  const { id, edge_id } = json as { id: string; edge_id: string };
  if (command.do === 'createEdge') {
    names.edges.push(id);
  } else {
    names.routes.push({ edge_id, route_id: id });
  }
  const [kind, resource] =
    command.do === 'createEdge' ? (['edges', edges] as const) : (['routes', routes] as const);
  fixed[kind].push(pick(json as Json, resource.fixed));
  expectSame('The model has names for all', names[kind].length, state[kind].length);
}

/** What the model says is shown, with what the service gave once. */
function shownBy(
  { shown, state }: Outcome,
  command: Command,
  { names, fixed }: Run,
): Json | undefined {
  const { edge_id, route_id } = inputOf(names, command).path ?? {};
  if (!shown || edge_id === undefined || command.do.startsWith('create')) {
    return shown;
  }
  const isRoute = (one: Names['routes'][number]) =>
    one.edge_id === edge_id && one.route_id === route_id;
  if (route_id !== undefined) {
    return { ...shown, ...fixed.routes[names.routes.findIndex(isRoute)] };
  }
  const edge = names.edges.indexOf(edge_id);
  const inside = state.routes.flatMap((route, at) =>
    route?.edge === edge ? [fixed.routes[at]] : [],
  );
  const all = (shown['routes'] as Json[]).map((route, at) => ({ ...route, ...inside[at] }));
  return { ...shown, ...fixed.edges[edge], routes: all };
}

/** The list is that of the model at every size of a page. Order is a law of its own. */
async function expectListed(
  { session, names, state, foreign }: Run,
  command: Command,
): Promise<void> {
  const { subscription = 0, limit = 1 } = command;
  const at = subscription % names.subscriptions.length;
  const place = { path: { subscription_id: names.subscriptions[at]! }, bodies: [], foreign: [] };
  // That pages have a limit is decided, not stated by the source.
  const size = session.implementation.origin === 'all' ? { limit } : {};
  const { items } = await new Steps(session, sources).list(place, [], size);
  const types = items.map(({ type }) => String(type)).toSorted();
  expectSame(
    'The list is not what results',
    types,
    [...state.sources[at]!, ...(foreign[at] ?? [])].toSorted(),
  );
}

export function stories<T>(
  label: string,
  values: readonly T[],
  storyOf: (value: T, index: number) => Command[],
) {
  return forEach(label, values.map(storyOf), runStory);
}

/** What exists before, and rounds of commands at once. */
export interface History {
  before: Command[];
  rounds: Command[][];
}

/** Each round is sent at once, and the next one when all have responses: some order of them explains what was seen. */
export async function runHistory(
  { before, rounds }: History,
  session: Session,
  withSubscriptions = false,
) {
  const run = await started(session, withSubscriptions);
  const { names } = run;
  for (const one of before) {
    await runCommand(run, one);
  }
  const seen: { round: number; command: Command; response: HttpResponse }[] = [];
  for (const [round, commands] of rounds.entries()) {
    const send = () => commands.map((command) => session.call(command.do, inputOf(names, command)));
    const responses = await session.together(send);
    seen.push(
      ...commands.map((command, index) => ({ round, command, response: responses[index]! })),
    );
    for (const { command, response } of seen.slice(-commands.length)) {
      const why = 'It may be refused for what is there.';
      expectEither(
        session.implementation,
        session.operation(command.do),
        response,
        [404, 409],
        why,
      );
    }
  }
  const calls = seen.map(({ command, round, response }) => ({
    round,
    after: (state: State) => {
      const due = outcomeOf(state, names, command);
      return isSeen(due, response, command, run) ? [due.state] : [];
    },
  }));
  const expected = 'responses as if the requests had come one after the other';
  const got = seen.map(({ command, round, response: { status } }) => ({
    round,
    ...command,
    status,
  }));
  const what = 'No order of the requests that were sent at once explains all responses.';
  expectThat(isExplained(calls, run.state, JSON.stringify), what, { expected, got });
}

function isSeen(due: Outcome, response: HttpResponse, command: Command, run: Run): boolean {
  if (response.status !== due.status) {
    return false;
  }
  const shown = shownBy(due, command, run);
  if (!shown) {
    return true;
  }
  if (command.do !== 'listEventSources') {
    return holds(() => expectSame('', response.json, shown));
  }
  // Somebody else may have sources, too, and a page that leads on has the first ones.
  const { uri, sources: listed } = response.json as { uri: unknown; sources: Json[] };
  const others = run.foreign[command.subscription ?? 0] ?? [];
  const got = listed.map(({ type }) => String(type)).filter((type) => !others.includes(type));
  const all = (shown['sources'] as Json[]).map(({ type }) => String(type));
  return got.join() === (uri === null ? all : all.slice(0, got.length)).join();
}
