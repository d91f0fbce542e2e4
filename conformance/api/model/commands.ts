/**
 * Commands of the model as data, so that sequences of them can be shrunk, and the calls that they
 * stand for.
 */
import type { CallInput } from '../../engine/http/call.ts';
import type { Json } from '../modules.ts';
import { required } from '../required.ts';
import { BARE } from '../values/bodies.ts';
import {
  type ModelOperation,
  type CallOutcome,
  outcomeIn,
  type State,
  type Step,
} from './outcomes.ts';

/**
 * Edges, routes and subscriptions are indexes of what was ever created, types are indexes of those
 * of the run: from 0, modulo how many there are. Default: 0.
 */
export interface Command {
  do: ModelOperation;
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

export function createEdge(body: Json = {}): Command {
  return { do: 'createEdge', body };
}

/** Changes the first edge. */
export function patchEdge(body: Json): Command {
  return { do: 'updateEdge', body };
}

export function readEdge(edge: number): Command {
  return { do: 'getEdge', edge };
}

/** @param body with the members that a route must have, unless it has them */
export function createRoute(body: Json, edge = 0): Command {
  return { do: 'createRoute', edge, body: { ...BARE, ...body } };
}

export function patchRoute(body: Json, route = 0): Command {
  return { do: 'updateRoute', route, body };
}

export function removeRoute(route: number): Command {
  return { do: 'deleteRoute', route };
}

/** The ids that the service gave to what the model numbers. */
export interface Names {
  edges: string[];
  routes: RouteName[];
  subscriptions: string[];
  /** Types of event sources. */
  types: string[];
}

export interface RouteName {
  edge_id: string;
  route_id: string;
}

/** An id that no route has. */
const NO_ROUTE = 'conformance-no-route';

/** The call of a command. */
export function inputOf(names: Names, command: Command): CallInput {
  const step = stepOf(names, command);
  switch (command.do) {
    case 'createEdge':
      return { json: step.body };
    case 'getEdge':
    case 'deleteEdge':
      return { path: pathOfEdge(names, step) };
    case 'updateEdge':
    case 'createRoute':
      return { path: pathOfEdge(names, step), json: step.body };
    case 'getRoute':
    case 'deleteRoute':
      return { path: pathOfRoute(names, step) };
    case 'updateRoute':
      return { path: pathOfRoute(names, step), json: step.body };
    default:
      return sourceInput(names, command.do, step);
  }
}

type SourceOperation = Extract<ModelOperation, `${string}EventSource${string}`>;

function sourceInput(names: Names, operation: SourceOperation, step: Step): CallInput {
  const { subscription, type, to } = step;
  const id = required(names.subscriptions[subscription], 'the run has no subscription');
  const path = { subscription_id: id, type };
  if (operation === 'createEventSource') {
    return { path, json: { type } };
  }
  if (operation === 'updateEventSource') {
    return { path, json: to === undefined ? {} : { type: to } };
  }
  return { path };
}

function pathOfEdge({ edges }: Names, { edge }: Step): { edge_id: string } {
  return { edge_id: required(edges[edge], 'no edge was created before the command') };
}

function pathOfRoute(names: Names, { route }: Step): { edge_id: string; route_id: string } {
  const name = names.routes[route];
  if (name) {
    return { ...name };
  }
  const edge_id = required(names.edges[0], 'no edge was created before the command');
  return { edge_id, route_id: NO_ROUTE };
}

/** The outcome of the command in the model. */
export function outcomeOf(state: State, names: Names, command: Command): CallOutcome {
  return outcomeIn(state, command.do, stepOf(names, command));
}

/** The command with its numbers as indexes of what has a name. */
function stepOf(names: Names, command: Command): Step {
  const { edge = 0, route = 0, subscription = 0, type = 0, to = null, body = {} } = command;
  // A run without subscriptions has no types, and no command needs one.
  const typeAt = (index: number) => names.types[index % names.types.length] ?? '';
  return {
    edge: edge % names.edges.length,
    // As long as no route has a name, -1 stands for one that does not exist.
    route: names.routes.length === 0 ? -1 : route % names.routes.length,
    subscription: subscription % names.subscriptions.length,
    type: typeAt(type),
    to: to === null ? undefined : typeAt(to),
    body,
  };
}
