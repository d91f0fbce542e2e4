/** Runs commands one after the other: the service does what the model does. */
import { expectRefusal, expectSuccess, refuse } from '../../engine/http/expect-response.ts';
import { expectSame } from '../../engine/http/nonconformity.ts';
import type { HttpResponse } from '../../engine/http/response.ts';
import type { Session } from '../../engine/http/session.ts';
import { pick } from '../../engine/laws/resource.ts';
import { Steps } from '../../engine/laws/steps.ts';
import { forEach } from '../../engine/requirements/requirement.ts';
import { withErrors } from '../laws/refusals.ts';
import type { Json } from '../modules.ts';
import { required } from '../required.ts';
import { edgesOf } from '../resources/edges.ts';
import { routesOf } from '../resources/routes.ts';
import { sourcesOf } from '../resources/sources.ts';
import { type Command, inputOf, type Names, outcomeOf, readEdge } from './commands.ts';
import { EMPTY, type CallOutcome, type State } from './outcomes.ts';

export interface Run {
  session: Session;
  names: Names;
  state: State;
  /**
   * Members that no change moves, as they were first shown: of edges and routes, in the order of
   * their names.
   */
  fixed: Record<'edges' | 'routes', Json[]>;
  /** Types that somebody else has in each subscription. */
  foreign: readonly (readonly string[])[];
}

/** A run that begins with nothing. */
export function startRun(session: Session): Run {
  return {
    session,
    names: { edges: [], routes: [], subscriptions: [], types: [] },
    state: EMPTY,
    fixed: { edges: [], routes: [] },
    foreign: [],
  };
}

/**
 * A run that begins with two empty subscriptions, and four types of event sources.
 * @throws NotPossible
 */
export async function startRunWithSubscriptions(session: Session): Promise<Run> {
  const run = startRun(session);
  const places = await sourcesOf(session.implementation.contract).places(session, {
    items: 4,
    atLeast: 2,
    places: 2,
  });
  for (const { path } of places) {
    run.names.subscriptions.push(required(path['subscription_id'], 'a place has no subscription'));
  }
  const [first] = places;
  run.names.types.push(...(first?.bodies ?? []).map(({ type }) => String(type)));
  return { ...run, foreign: places.map(({ foreign }) => foreign) };
}

/** Properties whose cases are stories, one for each value. */
export function stories<T>(
  label: string,
  values: readonly T[],
  storyOf: (value: T, index: number) => Command[],
) {
  return forEach(label, values.map(storyOf), runStory);
}

/** Commands one after the other, and then a read of each edge. */
export async function runStory(commands: readonly Command[], session: Session): Promise<void> {
  const run = startRun(session);
  for (const one of commands) {
    await runCommand(run, one);
  }
  for (const edge of run.names.edges.keys()) {
    await runCommand(run, readEdge(edge));
  }
}

/**
 * Commands one after the other, and then a read of each edge. A command that is refused with 409 is
 * not sent as it is, but in requests with an error beside the conflict.
 */
export async function runStoryWithErrors(
  commands: readonly Command[],
  session: Session,
): Promise<void> {
  const run = startRun(session);
  for (const one of commands) {
    if (outcomeOf(run.state, run.names, one).status === 409) {
      await expectNoConflict(run, one);
    } else {
      await runCommand(run, one);
    }
  }
  for (const edge of run.names.edges.keys()) {
    await runCommand(run, readEdge(edge));
  }
}

async function expectNoConflict({ session, names }: Run, command: Command): Promise<void> {
  const input = inputOf(names, command);
  for (const one of withErrors(input, session.implementation)) {
    await refuse(session, command.do, one.input, one);
  }
}

/** Sends one command. @throws Nonconformity unless the service does what the model does */
export async function runCommand(run: Run, command: Command): Promise<void> {
  if (command.do === 'listEventSources') {
    return expectListed(run, command);
  }
  const due = outcomeOf(run.state, run.names, command);
  const check = due.status < 300 ? expectDone : expectRefused;
  const response = await check(run, command, due);
  run.state = due.state;
  if (due.status === 201) {
    nameCreated(run, command, response);
  }
}

async function expectDone(run: Run, command: Command, due: CallOutcome): Promise<HttpResponse> {
  const { session, names } = run;
  const response = await session.callAround(command.do, inputOf(names, command));
  const operation = session.operation(command.do);
  const why = `${command.do}: the model says ${due.status}.`;
  expectSuccess(session.implementation, operation, response, why);
  const shown = shownBy(due, command, run);
  if (shown) {
    expectSame(`${command.do} shows something else than what results`, response.json, shown);
  }
  return response;
}

async function expectRefused(
  { session, names }: Run,
  command: Command,
  { status, codes }: CallOutcome,
): Promise<HttpResponse> {
  const input = inputOf(names, command);
  const response = await session.call(command.do, input);
  const operation = session.operation(command.do);
  const why = `${command.do} must be refused.`;
  const refused = codes ? { input, codes } : { input };
  expectRefusal(session.implementation, operation, response, {
    statuses: [status],
    why,
    ...refused,
  });
  return response;
}

/** Remembers the id of what a command has created, and the members that stay. */
function nameCreated(run: Run, command: Command, { json }: HttpResponse): void {
  const { names, state, fixed } = run;
  const { contract } = run.session.implementation;
  const shown = json as Json;
  const message = 'The model has names for all';
  if (command.do === 'createEdge') {
    names.edges.push(String(shown['id']));
    fixed.edges.push(pick(shown, edgesOf(contract).fixed));
    expectSame(message, names.edges.length, state.edges.length);
  }
  if (command.do === 'createRoute') {
    names.routes.push({ edge_id: String(shown['edge_id']), route_id: String(shown['id']) });
    fixed.routes.push(pick(shown, routesOf(contract).fixed));
    expectSame(message, names.routes.length, state.routes.length);
  }
}

/** The item that must be shown by the model, with the members that the service set once. */
export function shownBy(
  { shown, state }: CallOutcome,
  command: Command,
  { names, fixed }: Run,
): Json | undefined {
  const { edge_id, route_id } = inputOf(names, command).path ?? {};
  if (!shown || edge_id === undefined || command.do.startsWith('create')) {
    return shown;
  }
  if (route_id !== undefined) {
    const index = names.routes.findIndex(
      (one) => one.edge_id === edge_id && one.route_id === route_id,
    );
    return { ...shown, ...fixed.routes[index] };
  }
  const edge = names.edges.indexOf(edge_id);
  const fixedInside = fixed.routes.filter((_, index) => state.routes[index]?.edge === edge);
  const shownRoutes = shown['routes'] as Json[];
  const inside = shownRoutes.map((route, index) => ({ ...route, ...fixedInside[index] }));
  return { ...shown, ...fixed.edges[edge], routes: inside };
}

/** The list is that of the model, at any size of pages. The order of lists is another law. */
async function expectListed(
  { session, names, state, foreign }: Run,
  command: Command,
): Promise<void> {
  const { subscription = 0, limit = 1 } = command;
  const index = subscription % names.subscriptions.length;
  const id = required(names.subscriptions[index], 'the run has no subscription');
  const place = { path: { subscription_id: id }, bodies: [], foreign: [] };
  // That pages have a limit is decided, not stated by the source.
  const reading = session.implementation.origin === 'all' ? { limit } : {};
  const { items } = await new Steps(session, sourcesOf(session.implementation.contract)).list(
    place,
    [],
    reading,
  );
  const types = items.map(({ type }) => String(type));
  const due = [...(state.sources[index] ?? []), ...(foreign[index] ?? [])];
  expectSame('The list is not what results', types.toSorted(), due.toSorted());
}
