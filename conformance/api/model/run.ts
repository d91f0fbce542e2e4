/** Runs commands against service and model: one after the other, or several at once. */
import { expectEither, expectRefusal, expectSuccess } from '../../engine/http/expect-response.ts';
import { expectSame, expectThat } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { forEach } from '../../engine/requirements/requirement.ts';
import { explain } from '../../engine/laws/linearizability.ts';
import { pick } from '../../engine/laws/resource.ts';
import { holds, Steps } from '../../engine/laws/steps.ts';
import type { Json } from '../modules.ts';
import { edges } from '../resources/edges.ts';
import { routes } from '../resources/routes.ts';
import { sources } from '../resources/sources.ts';
import { type Command, EMPTY, inputOf, look, type Names, type Outcome, outcomeOf, type State } from './service.ts';

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
  if (!withSubscriptions) return run;
  const places = await sources.places(session, { items: 4, atLeast: 2, places: 2 });
  names.subscriptions.push(...places.map(({ path }) => path['subscription_id']!));
  names.types.push(...places[0]!.bodies.map(({ type }) => String(type)));
  return { ...run, foreign: places.map(({ foreign }) => foreign) };
}

/** Commands one after the other, and a look at each edge. */
export async function runStory(commands: readonly Command[], session: Session): Promise<void> {
  const run = await started(session);
  for (const one of commands) await runCommand(run, one);
  for (const edge of run.names.edges.keys()) await runCommand(run, look(edge));
}

/** One command: the service does what the model does. */
export async function runCommand(run: Run, command: Command): Promise<void> {
  const { session, names } = run;
  const due = outcomeOf(run.state, names, command);
  if (command.do === 'listEventSources') return expectListed(run, command);
  const operation = session.operation(command.do);
  const input = inputOf(names, command);
  const response = await session[due.status < 300 ? 'callAround' : 'call'](command.do, input);
  if (due.status < 300) {
    expectSuccess(session.implementation, operation, response, `${command.do}: the model says ${due.status}.`);
    const shown = shownBy(due, command, run);
    if (shown) expectSame(`${command.do} shows something else than what results`, response.json, shown);
  } else {
    const refused = { input, ...(due.codes ? { codes: due.codes } : {}) };
    const why = `${command.do} must be refused.`;
    expectRefusal(session.implementation, operation, response, [due.status], why, refused);
  }
  run.state = due.state;
  name(run, command, response);
}

/** Names the created resource, for the commands that follow. */
function name({ names, state, fixed }: Run, command: Command, { status, json }: HttpResponse): void {
  if (status !== 201) return;
  const { id, edge_id } = json as { id: string; edge_id: string };
  if (command.do === 'createEdge') names.edges.push(id);
  if (command.do === 'createEdge') fixed.edges.push(pick(json as Json, edges.fixed));
  if (command.do === 'createRoute') names.routes.push({ edge_id, route_id: id });
  if (command.do === 'createRoute') fixed.routes.push(pick(json as Json, routes.fixed));
  const [named, all] = [names, state].map((each) => [each.edges.length, each.routes.length]);
  expectSame('The model has names for all', named, all);
}

/** What the model says is shown, with what the service gave once. */
function shownBy({ shown, state }: Outcome, command: Command, { names, fixed }: Run): Json | undefined {
  const { edge_id, route_id } = inputOf(names, command).path ?? {};
  if (!shown || edge_id === undefined || command.do.startsWith('create')) return shown;
  const isRoute = (one: Names['routes'][number]) => one.edge_id === edge_id && one.route_id === route_id;
  if (route_id !== undefined) return { ...shown, ...fixed.routes[names.routes.findIndex(isRoute)] };
  const edge = names.edges.indexOf(edge_id);
  const inside = state.routes.flatMap((route, at) => (route?.edge === edge ? [fixed.routes[at]] : []));
  const all = (shown['routes'] as Json[]).map((route, at) => ({ ...route, ...inside[at] }));
  return { ...shown, ...fixed.edges[edge], routes: all };
}

/** The list is that of the model at every size of a page. Order is a law of its own. */
async function expectListed({ session, names, state, foreign }: Run, command: Command): Promise<void> {
  const { subscription = 0, limit = 1 } = command;
  const at = subscription % names.subscriptions.length;
  const place = { path: { subscription_id: names.subscriptions[at]! }, bodies: [], foreign: [] };
  // That pages have a limit is decided, not stated by the source.
  const size = session.implementation.origin === 'all' ? { limit } : {};
  const { items } = await new Steps(session, sources).list(place, [], size);
  const types = items.map(({ type }) => String(type)).toSorted();
  expectSame('The list is not what results', types, [...state.sources[at]!, ...(foreign[at] ?? [])].toSorted());
}

/** The story of each of the values. */
export function stories<T>(label: string, values: readonly T[], storyOf: (value: T, index: number) => Command[]) {
  return forEach(label, values.map(storyOf), runStory);
}

/** What is there before, and rounds of commands at once. */
export interface History {
  before: Command[];
  rounds: Command[][];
}

/**
 * The commands of each round are sent at once, and the next round begins when all have their responses: some order of them
 * explains what was seen.
 */
export async function runHistory({ before, rounds }: History, session: Session, withSubscriptions = false) {
  const run = await started(session, withSubscriptions);
  const { names } = run;
  for (const one of before) await runCommand(run, one);
  const seen: { round: number; command: Command; response: HttpResponse }[] = [];
  for (const [round, commands] of rounds.entries()) {
    const send = () => commands.map((command) => session.call(command.do, inputOf(names, command)));
    const responses = await session.together(send);
    seen.push(...commands.map((command, index) => ({ round, command, response: responses[index]! })));
    for (const { command, response } of seen.slice(-commands.length)) {
      const operation = session.operation(command.do);
      const why = 'It may be refused for what is there.';
      expectEither(session.implementation, operation, response, [404, 409], why);
    }
  }
  const calls = seen.map(({ command, round, response }, client) => ({
    ...{ client, began: round, ended: round + 0.5 },
    after: (state: State) => {
      const due = outcomeOf(state, names, command);
      return isSeen(due, response, command, run) ? [due.state] : [];
    },
  }));
  const isExplained = explain(calls, run.state, (state) => JSON.stringify(state)) !== undefined;
  const expected = 'responses as if the requests had come one after the other';
  const got = seen.map(({ command, round, response: { status } }) => ({ round, ...command, status }));
  const what = 'No order of the requests that were sent at once explains all responses.';
  expectThat(isExplained, what, { expected, got });
}

function isSeen(due: Outcome, response: HttpResponse, command: Command, run: Run): boolean {
  if (response.status !== due.status) return false;
  const shown = shownBy(due, command, run);
  if (!shown) return true;
  if (command.do !== 'listEventSources') return holds(() => expectSame('', response.json, shown));
  // Somebody else may have sources, too, and a page that leads on has the first ones.
  const { uri, sources: listed } = response.json as { uri: unknown; sources: Json[] };
  const others = run.foreign[command.subscription ?? 0] ?? [];
  const got = listed.map(({ type }) => String(type)).filter((type) => !others.includes(type));
  const all = (shown['sources'] as Json[]).map(({ type }) => String(type));
  return got.join() === (uri === null ? all : all.slice(0, got.length)).join();
}
