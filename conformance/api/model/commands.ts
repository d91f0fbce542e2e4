/** Commands on the service as data, so that a sequence can be printed and shrunk: what each calls, and what it does. */
import type { CallInput } from '../../engine/http/call.ts';
import type { Json } from '../modules.ts';
import * as service from './service.ts';
import type { Outcome, State, Step } from './service.ts';

/** Edges, routes and subscriptions are places in what was ever created; types are places in those of the run. */
export type Command =
  | { do: 'create edge'; body: Json }
  | { do: 'read edge'; edge: number }
  | { do: 'patch edge'; edge: number; patch: Json }
  | { do: 'delete edge'; edge: number }
  | { do: 'create route'; edge: number; body: Json }
  | { do: 'read route'; route: number }
  | { do: 'patch route'; route: number; patch: Json }
  | { do: 'delete route'; route: number }
  | { do: 'add source'; subscription: number; type: number }
  | { do: 'read source'; subscription: number; type: number }
  | { do: 'move source'; subscription: number; type: number; to: number | null }
  | { do: 'remove source'; subscription: number; type: number }
  | { do: 'list sources'; subscription: number; limit: number };

/** The ids that the service gives to what the model numbers. */
export interface Names {
  edges: string[];
  routes: { edge_id: string; id: string }[];
  subscriptions: string[];
  /** In ascending order. */
  types: string[];
}

interface Kind {
  operationId: string;
  path?(names: Names, step: Step): Record<string, string>;
  json?(step: Step): Json;
  outcome(state: State, step: Step): Outcome;
}

/** Below an own edge, an id that no route has. */
const NO_ROUTE = 'conformance-no-route';

const edge = ({ edges }: Names, { edge: at }: Step) => ({ id: edges[at]! });
const routes = ({ edges }: Names, { edge: at }: Step) => ({ edge_id: edges[at]! });
const route = (names: Names, { route: at }: Step) => ({
  ...(names.routes[at] ?? { edge_id: names.edges[0]!, id: NO_ROUTE }),
});
const sources = ({ subscriptions }: Names, { subscription }: Step) => ({
  subscription_id: subscriptions[subscription]!,
});
const source = (names: Names, step: Step) => ({ ...sources(names, step), type: step.type });
const body = (step: Step) => step.body;
const type = (step: Step) => ({ type: step.type });
const newType = ({ to }: Step): Json => (to === undefined ? {} : { type: to });

const KINDS: Record<Command['do'], Kind> = {
  'create edge': { operationId: 'createEdge', json: body, outcome: service.createEdge },
  'read edge': { operationId: 'getEdge', path: edge, outcome: service.readEdge },
  'patch edge': { operationId: 'updateEdge', path: edge, json: body, outcome: service.patchEdge },
  'delete edge': { operationId: 'deleteEdge', path: edge, outcome: service.deleteEdge },
  'create route': { operationId: 'createRoute', path: routes, json: body, outcome: service.createRoute },
  'read route': { operationId: 'getRoute', path: route, outcome: service.readRoute },
  'patch route': { operationId: 'updateRoute', path: route, json: body, outcome: service.patchRoute },
  'delete route': { operationId: 'deleteRoute', path: route, outcome: service.deleteRoute },
  'add source': { operationId: 'createEventSource', path: sources, json: type, outcome: service.addSource },
  'read source': { operationId: 'getEventSource', path: source, outcome: service.readSource },
  'move source': { operationId: 'updateEventSource', path: source, json: newType, outcome: service.moveSource },
  'remove source': { operationId: 'deleteEventSource', path: source, outcome: service.removeSource },
  'list sources': { operationId: 'listEventSources', path: sources, outcome: service.listSources },
};

export function operationIdOf(command: Command): string {
  return KINDS[command.do].operationId;
}

export function inputOf(names: Names, command: Command): CallInput {
  const { path, json } = KINDS[command.do];
  const step = stepOf(names, command);
  return { ...(path ? { path: path(names, step) } : {}), ...(json ? { json: json(step) } : {}) };
}

export function outcomeOf(state: State, names: Names, command: Command): Outcome {
  return KINDS[command.do].outcome(state, stepOf(names, command));
}

/** The command with every number taken as a place in what has a name. */
function stepOf({ edges, routes: { length }, subscriptions, types }: Names, command: Command): Step {
  const all = { edge: 0, route: 0, subscription: 0, type: 0, to: null, body: {}, patch: undefined, ...command };
  const typeAt = (at: number) => types[at % types.length]!;
  return {
    edge: all.edge % edges.length,
    // -1 while none has a name: one that is not there.
    route: length === 0 ? -1 : all.route % length,
    subscription: all.subscription % subscriptions.length,
    type: typeAt(all.type),
    to: all.to === null ? undefined : typeAt(all.to),
    body: all.patch ?? all.body,
  };
}
