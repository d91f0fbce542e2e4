/** The contract's schemas under short names. Derived: never declared by hand. */
import type { components, operations } from '../../generated/openapi.ts';

type Schemas = components['schemas'];

export type EdgeCreate = Schemas['HTTPSEdgeCreate'];
export type EdgeUpdate = Schemas['HTTPSEdgeUpdate'];
export type Edge = Schemas['HTTPSEdge'];
export type EdgeList = Schemas['HTTPSEdgeList'];
export type RouteCreate = Schemas['HTTPSEdgeRouteCreate'];
export type RouteUpdate = Schemas['HTTPSEdgeRouteUpdate'];
export type Route = Schemas['HTTPSEdgeRoute'];
export type OAuthProvider = Schemas['EndpointOAuthProvider'];
export type EventSourceCreate = Schemas['EventSourceCreate'];
export type EventSourceUpdate = Schemas['EventSourceUpdate'];
export type EventSource = Schemas['EventSource'];
export type EventSourceList = Schemas['EventSourceList'];
export type Problem = Schemas['Problem'];
export type ProblemCode = Schemas['ProblemCode'];
export type FieldError = Schemas['FieldError'];
export type FieldErrorCode = Schemas['FieldErrorCode'];

/**
 * The names of all properties that a client can send or read. Records are declared with them, so
 * that code which drops a property that was added to the contract does not compile.
 */
export type EdgeProperty = keyof EdgeCreate | keyof EdgeUpdate | keyof Edge;
export type RouteProperty = keyof RouteCreate | keyof RouteUpdate | keyof Route;
export type EventSourceProperty =
  | keyof EventSourceCreate
  | keyof EventSourceUpdate
  | keyof EventSource;

type QueryOf<Operation extends 'listEdges' | 'listEventSources'> = NonNullable<
  operations[Operation]['parameters']['query']
>;

/** The same for the query parameters of lists, which the link to the next page has to keep. */
export type EdgesParameter = keyof QueryOf<'listEdges'>;
export type EventSourcesParameter = keyof QueryOf<'listEventSources'>;
