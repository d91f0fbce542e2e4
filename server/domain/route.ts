/** Routes of an edge (source §2.5, D10, D11, D18, D21). */
import type { Links } from './links.ts';
import { ApiError } from './api-error.ts';
import {
  type FilledModules,
  keepModules,
  type ModuleName,
  type ModuleRecords,
  NO_MODULES,
  showModules,
  SIGN_IN,
  type SigningCertificate,
} from './modules.ts';
import type { Route, RouteCreate, RouteUpdate } from './types.ts';

/** Properties whose default is filled in already. */
type Filled = { description: string; metadata: string };

/** A new route as it was sent, with the defaults of the contract. */
export type NewRoute = Omit<RouteCreate, ModuleName | keyof Filled> & FilledModules & Filled;

/** A change as it was sent, with the defaults of the contract within its modules. */
export type RouteChange = Omit<RouteUpdate, ModuleName> & FilledModules;

/** A route as it is kept: ids in place of Refs, and no URI. */
export interface RouteRecord extends ModuleRecords, Filled {
  id: string;
  created_at: string;
  match_type: Route['match_type'];
  match: string;
  /** Made when the route first gets SAML, and kept when SAML is removed, so that it is the same afterwards. */
  signing: SigningCertificate | null;
}

type Supplied = Pick<RouteRecord, 'id' | 'created_at' | 'signing'>;

/** @param supplied `signing` is needed where `input` has SAML */
export function createRoute(input: NewRoute, supplied: Supplied): RouteRecord {
  return {
    ...supplied,
    match_type: input.match_type,
    match: input.match,
    description: input.description,
    metadata: input.metadata,
    ...NO_MODULES,
    ...keepModules(input),
  };
}

/** Omitted properties stay, null removes or resets to `defaults`, any other value replaces (D11). @throws ApiError */
export function updateRoute(
  route: RouteRecord,
  input: RouteChange,
  { signing, defaults }: { signing: SigningCertificate | null; defaults: Filled },
): RouteRecord {
  const next = {
    ...route,
    ...(input.match_type === undefined ? {} : { match_type: input.match_type }),
    ...(input.match === undefined ? {} : { match: input.match }),
    ...(input.description === undefined
      ? {}
      : { description: input.description ?? defaults.description }),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata ?? defaults.metadata }),
    ...keepModules(input),
    signing: route.signing ?? signing,
  };
  // At most one of them may be enabled (D21).
  const enabled = SIGN_IN.filter((name) => next[name]?.enabled);
  if (enabled.length > 1) {
    throw new ApiError(
      'conflict',
      `The route would have ${enabled.join(' and ')} enabled; at most one may be.`,
    );
  }
  return next;
}

export function showRoute(edge_id: string, route: RouteRecord, links: Links): Route {
  const { id, created_at, match_type, match, description, metadata, signing, ...modules } = route;
  return {
    edge_id,
    id,
    created_at,
    match_type,
    match,
    uri: links.route(edge_id, id),
    description,
    metadata,
    ...showModules(modules, { links, route: { edge_id, id, signing } }),
  };
}
