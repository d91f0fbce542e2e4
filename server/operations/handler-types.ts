/**
 * The types of handlers, derived from the contract: what each operation gets, and what it may
 * reply.
 */
import type { operations } from '../../generated/openapi.ts';
import type { OperationId } from '../contract.ts';
import type { EdgeChange, NewEdge } from '../domain/edge.ts';
import type { Links } from '../domain/links.ts';
import type { NewRoute, RouteChange } from '../domain/route.ts';
import type { JsonText } from './json-text.ts';

/** Errors are thrown. */
export type Handlers = { [K in OperationId]: (call: Call<K>) => Promise<Reply<K>> };

interface Call<K extends OperationId> {
  path: NonNullable<Parameters<K>['path']>;
  query: FilledQuery<NonNullable<Parameters<K>['query']>>;
  body: K extends keyof FilledBodies ? FilledBodies[K] : SentBody<K>;
  links: Links;
}

type Parameters<K extends OperationId> = operations[K]['parameters'];

/** `limit` is the one parameter that has a default. */
type FilledQuery<Q> = Q extends { limit?: number } ? Q & { limit: number } : Q;

/** Bodies with the defaults of the contract; other bodies have no defaults. */
export interface FilledBodies {
  createEdge: NewEdge;
  updateEdge: EdgeChange;
  createRoute: NewRoute;
  updateRoute: RouteChange;
}

/** Undefined for an operation without a body, and possibly for one whose body is optional. */
type SentBody<K extends OperationId> = operations[K] extends { requestBody?: JsonContent<infer B> }
  ? B | OmittedBody<operations[K]['requestBody']>
  : undefined;

type OmittedBody<RequestBody> = undefined extends RequestBody ? undefined : never;

type JsonContent<T> = { content: { 'application/json': T } };

type Success = 200 | 201 | 204;

/** One of the operation's documented successes. */
type Reply<K extends OperationId> = {
  [S in keyof operations[K]['responses'] & Success]: ReplyWith<S, operations[K]['responses'][S]>;
}[keyof operations[K]['responses'] & Success];

type ReplyWith<S extends Success, Response> =
  Response extends JsonContent<infer B>
    ? { status: S; body: B | JsonText<B> } & LocationOf<S>
    : { status: S };

/** The URI of the new resource. */
type LocationOf<S extends Success> = S extends 201 ? { location: string } : object;
