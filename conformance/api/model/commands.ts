/** Commands on the service as data, so that a sequence can be printed and shrunk: how each is sent, and what it does. */
import type { CallInput } from '../../engine/http/call.ts';
import type { Json } from '../modules.ts';
import { BARE } from '../values/routes.ts';
import { type Outcome, OUTCOMES, type State, type Step } from './service.ts';

/** Edges, routes and subscriptions are places in what was ever created, types places in those of the run; 0 by default. */
export interface Command {
  /** An operation. */
  do: keyof typeof OUTCOMES;
  edge?: number;
  route?: number;
  subscription?: number;
  type?: number;
  /** The type that a source moves to; null: none is sent. */
  to?: number | null;
  /** The body that is sent for an edge or a route. */
  body?: Json;
  /** The size of the pages of a list. */
  limit?: number;
}

// Short forms of commands; edges and routes count from 0, in the order of creation.
export const createEdge = (body: Json = {}): Command => ({ do: 'createEdge', body });
export const patchEdge = (body: Json): Command => ({ do: 'updateEdge', body });
export const look = (edge: number): Command => ({ do: 'getEdge', edge });
export const createRoute = (body: Json, edge = 0): Command => ({ do: 'createRoute', edge, body: { ...BARE, ...body } });
export const patchRoute = (body: Json, route = 0): Command => ({ do: 'updateRoute', route, body });
export const removeRoute = (route: number): Command => ({ do: 'deleteRoute', route });

/** The ids that the service gives to what the model numbers. */
export interface Names {
  edges: string[];
  routes: { edge_id: string; route_id: string }[];
  subscriptions: string[];
  types: string[];
}

/** Below an own edge, an id that no route has. */
const NO_ROUTE = 'conformance-no-route';

export function inputOf(names: Names, command: Command): CallInput {
  const step = stepOf(names, command);
  return { path: pathOf(names, command.do, step), json: jsonOf(command.do, step) };
}

function pathOf(names: Names, name: Command['do'], { edge, route, subscription, type }: Step): Record<string, string> {
  if (name.includes('EventSource')) return { subscription_id: names.subscriptions[subscription]!, type };
  if (name === 'createRoute') return { edge_id: names.edges[edge]! };
  if (name.endsWith('Route')) return names.routes[route] ?? { edge_id: names.edges[0]!, route_id: NO_ROUTE };
  return { edge_id: names.edges[edge]! };
}

function jsonOf(name: Command['do'], { type, to, body }: Step): Json | undefined {
  if (name === 'createEventSource') return { type };
  if (name === 'updateEventSource') return to === undefined ? {} : { type: to };
  return /^(create|update)/.test(name) ? body : undefined;
}

export function outcomeOf(state: State, names: Names, command: Command): Outcome {
  const result = OUTCOMES[command.do](state, stepOf(names, command));
  return typeof result === 'number' ? { status: result, state } : { state, ...result };
}

/** The command with every number taken as a place in what has a name. */
function stepOf({ edges, routes: { length }, subscriptions, types }: Names, command: Command): Step {
  const { edge = 0, route = 0, subscription = 0, type = 0, to = null, body = {} } = command;
  const typeAt = (at: number) => types[at % types.length]!;
  return {
    edge: edge % edges.length,
    // -1 while none has a name: one that is not there.
    route: length === 0 ? -1 : route % length,
    subscription: subscription % subscriptions.length,
    type: typeAt(type),
    to: to === null ? undefined : typeAt(to),
    body,
  };
}
