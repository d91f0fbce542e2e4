/** The contract's schemas under short names. Derived: never declared by hand. */
import type { components } from '../../generated/openapi.ts';

type Schemas = components['schemas'];

export type EdgeCreate = Schemas['HTTPSEdgeCreate'];
export type EdgeUpdate = Schemas['HTTPSEdgeUpdate'];
export type Edge = Schemas['HTTPSEdge'];
export type EdgeList = Schemas['HTTPSEdgeList'];
export type RouteCreate = Schemas['HTTPSEdgeRouteCreate'];
export type RouteUpdate = Schemas['HTTPSEdgeRouteUpdate'];
export type Route = Schemas['HTTPSEdgeRoute'];
export type OAuthProvider = Schemas['EndpointOAuthProvider'];
export type EventSource = Schemas['EventSource'];
export type EventSourceList = Schemas['EventSourceList'];
export type Problem = Schemas['Problem'];
export type ProblemCode = Schemas['ProblemCode'];
export type FieldError = Schemas['FieldError'];
export type FieldErrorCode = Schemas['FieldErrorCode'];
