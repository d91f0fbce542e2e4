/** The type of a handler, derived from the contract: what it gets, and what it may reply. */
import type { operations } from '../../generated/openapi.ts';
import type { OperationId } from '../contract.ts';
import type { Links } from '../domain/links.ts';
import type { EdgeChange, NewEdge } from '../domain/edge.ts';
import type { NewRoute, RouteChange } from '../domain/route.ts';
import type { Shown } from './shown.ts';
import type { Store } from '../store/store.ts';

/** The things that a handler uses, apart from the request. */
export interface Services {
  store: Store;
  /** A new id, which sorts behind earlier ones; `prefix` shows people what it names (D01). */
  newId(prefix: string): string;
  /** The defaults of the contract for the body of this operation. */
  defaultsOf<K extends keyof FilledBodies>(operation: K): FilledBodies[K];
}

/** Bodies with the defaults of the contract; other bodies have none. */
interface FilledBodies {
  createEdge: NewEdge;
  updateEdge: EdgeChange;
  createRoute: NewRoute;
  updateRoute: RouteChange;
}

type Parameters<K extends OperationId> = operations[K]['parameters'];

export interface Call<K extends OperationId> {
  path: NonNullable<Parameters<K>['path']>;
  /** With the defaults of the contract. */
  query: FilledQuery<NonNullable<Parameters<K>['query']>>;
  body: K extends keyof FilledBodies ? FilledBodies[K] : SentBody<K>;
  links: Links;
}

/** `limit` is the one parameter that has a default. */
type FilledQuery<Q> = Q extends { limit?: number } ? Q & { limit: number } : Q;

type SentBody<K extends OperationId> = operations[K] extends {
  requestBody?: { content: { 'application/json': infer B } };
}
  ? undefined extends operations[K]['requestBody']
    ? B | undefined
    : B
  : undefined;

type Success = 200 | 201 | 204;

type Body<T> = T | Shown<T>;

/** One of the operation's documented successes. Errors are thrown. */
export type Reply<K extends OperationId> = {
  [S in keyof operations[K]['responses'] & Success]: operations[K]['responses'][S] extends { content: infer C }
    ? S extends 201
      ? { status: S; body: Body<C[keyof C]>; location: string }
      : { status: S; body: Body<C[keyof C]> }
    : { status: S };
}[keyof operations[K]['responses'] & Success];

/** One handler for each operation of the contract: a missing one does not compile. */
export type Handlers = { [K in OperationId]: (call: Call<K>) => Promise<Reply<K>> };
