/** The edges of a service with their routes, in memory. Values are never changed, only replaced whole. */
import { randomBytes, randomInt } from 'node:crypto';
import type { EdgeInput } from './edge-input.ts';
import { Refusal } from './problem.ts';
import type { RouteInput } from './route-input.ts';
import { now } from './time.ts';

export interface Route extends RouteInput {
  readonly id: string;
  readonly createdAt: string;
}

export interface Edge extends EdgeInput {
  readonly id: string;
  readonly createdAt: string;
  /** The newer, the lower, in the order of ASCII. */
  readonly rank: string;
  /** In creation order. */
  readonly routes: readonly Route[];
}

/** 12 to 64 characters: ids are opaque, so nothing may rest on their length. */
const randomId = () => randomBytes(randomInt(9, 49)).toString('base64url');

export class EdgeStore {
  readonly #edges = new Map<string, Edge>();
  readonly #newId: () => string;
  #lastRank = Number.MAX_SAFE_INTEGER;

  /** @param newId gives an id that it has not given before */
  constructor(newId = randomId) {
    this.#newId = newId;
  }

  add(input: EdgeInput): Edge {
    this.#lastRank -= 1;
    return this.put({ ...input, id: this.#newId(), createdAt: now(), rank: String(this.#lastRank), routes: [] });
  }

  /** By rank. */
  all(): ReadonlyMap<string, Edge> {
    return new Map(Array.from(this.#edges.values(), (edge) => [edge.rank, edge]));
  }

  get(id: string): Edge {
    const edge = this.#edges.get(id);
    if (edge === undefined) throw new Refusal('not_found', 'No edge bears this id.');
    return edge;
  }

  put(edge: Edge): Edge {
    this.#edges.set(edge.id, edge);
    return edge;
  }

  remove(id: string): void {
    this.#edges.delete(id);
  }

  addRoute(edge: Edge, input: RouteInput): Route {
    const route = { ...input, id: this.#newId(), createdAt: now() };
    this.put({ ...edge, routes: [...edge.routes, route] });
    return route;
  }

  route(edgeId: string, id: string): Route {
    const route = this.get(edgeId).routes.find((one) => one.id === id);
    if (route === undefined) throw new Refusal('not_found', 'No route of this edge bears this id.');
    return route;
  }

  putRoute(edge: Edge, route: Route): Route {
    this.put({ ...edge, routes: edge.routes.map((one) => (one.id === route.id ? route : one)) });
    return route;
  }

  removeRoute(edge: Edge, id: string): void {
    this.put({ ...edge, routes: edge.routes.filter((one) => one.id !== id) });
  }
}
