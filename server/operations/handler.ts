/** The shape of a handler, derived from the contract: what it is given, and what it may reply. */
import type { operations } from '../../generated/openapi.ts';
import type { OperationId } from '../contract.ts';
import type { Links } from '../domain/links.ts';
import type { EdgeChange, NewEdge } from '../domain/edge.ts';
import type { SigningCertificate } from '../domain/modules.ts';
import type { NewRoute, RouteChange } from '../domain/route.ts';
import type { Store } from '../store/store.ts';

/** What a handler works with, apart from the request. */
export interface Services {
  store: Store;
  /** The current time. */
  clock(): Date;
  /** A new id, which sorts behind those made before; `prefix` tells people what it names (D01). */
  newId(prefix: string): string;
  /** The body of this operation for which everything was omitted that may be: the defaults of the contract. */
  defaultsOf<K extends keyof FilledBodies>(operation: K): FilledBodies[K];
  /** A key pair with its certificate for the SAML requests of a route (D26). */
  createSigningKey(): Promise<SigningCertificate>;
}

/** Bodies of requests after the defaults of the contract were filled in; other bodies have none. */
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

/** One of the operation's documented successes. Errors are thrown. */
export type Reply<K extends OperationId> = {
  [S in keyof operations[K]['responses'] & Success]: operations[K]['responses'][S] extends { content: infer C }
    ? S extends 201
      ? { status: S; body: C[keyof C]; location: string }
      : { status: S; body: C[keyof C] }
    : { status: S };
}[keyof operations[K]['responses'] & Success];

export type Handler<K extends OperationId> = (call: Call<K>) => Promise<Reply<K>>;

/** One handler for each operation of the contract: a missing one does not compile. */
export type Handlers = { [K in OperationId]: Handler<K> };
