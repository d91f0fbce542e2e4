/** Routes of an edge (source §2.5, D10, D11, D18, D21). */
import { ApiError } from './api-error.ts';
import type { Links } from './links.ts';
import {
  keepModules,
  type ModuleName,
  type ModuleRecords,
  type SentModules,
  showModules,
  SIGN_IN,
  type SigningCertificate,
} from './modules.ts';
import { patched } from './patch.ts';
import type { Route, RouteCreate, RouteProperty, RouteUpdate } from './types.ts';

/** Properties whose default the contract states. */
export interface RouteDefaults {
  description: string;
  metadata: string;
}

/** A new route as it was sent, with the defaults of the contract. */
export type NewRoute = Omit<RouteCreate, ModuleName | keyof RouteDefaults> &
  SentModules &
  RouteDefaults;

/** A change as it was sent, with the defaults of the contract within its modules. */
export type RouteChange = Omit<RouteUpdate, ModuleName> & SentModules;

/** All properties of a route except for its modules and those that depend on its place. */
type KeptProperties = Record<Exclude<RouteProperty, ModuleName | 'edge_id' | 'uri'>, unknown>;

/** A route as it is kept: ids in place of Refs, and no URI. */
export interface RouteRecord extends KeptProperties, ModuleRecords {
  id: string;
  created_at: string;
  match_type: Route['match_type'];
  match: string;
  description: string;
  metadata: string;
  /**
   * Made when the route first gets SAML. It stays when SAML is removed, and serves it again later.
   */
  signing: SigningCertificate | null;
}

/** The service supplies these for a new route. `signing` is needed if the route has SAML. */
export type RouteSupplies = Pick<RouteRecord, 'id' | 'created_at' | 'signing'>;

export function createRoute(input: NewRoute, supplies: RouteSupplies): RouteRecord {
  return {
    id: supplies.id,
    created_at: supplies.created_at,
    signing: supplies.signing,
    match_type: input.match_type,
    match: input.match,
    description: input.description,
    metadata: input.metadata,
    ...keepModules(input),
  };
}

/** The service supplies these for a change of a route. */
interface ChangeSupplies {
  /** Needed if the change adds SAML to a route that has had no certificate. */
  signing: SigningCertificate | null;
  defaults: RouteDefaults;
}

/**
 * Omitted properties stay, null removes or resets to the default, any other value replaces (D11).
 *
 * @throws ApiError `conflict` (D21)
 */
export function updateRoute(
  route: RouteRecord,
  change: RouteChange,
  { signing, defaults }: ChangeSupplies,
): RouteRecord {
  const next: RouteRecord = {
    id: route.id,
    created_at: route.created_at,
    signing: route.signing ?? signing,
    match_type: change.match_type ?? route.match_type,
    match: change.match ?? route.match,
    description: patched(route.description, change.description, defaults.description),
    metadata: patched(route.metadata, change.metadata, defaults.metadata),
    ...keepModules(change, route),
  };
  requireOneSignIn(next);
  return next;
}

/** At most one module that signs in the end user may be enabled (D21). */
function requireOneSignIn(route: RouteRecord): void {
  const enabled = SIGN_IN.filter((name) => route[name]?.enabled);
  if (enabled.length > 1) {
    const detail = `The route would have ${enabled.join(' and ')} enabled; at most one may be.`;
    throw new ApiError('conflict', detail);
  }
}

export function showRoute(edgeId: string, route: RouteRecord, links: Links): Required<Route> {
  const { id, signing } = route;
  return {
    edge_id: edgeId,
    id,
    created_at: route.created_at,
    match_type: route.match_type,
    match: route.match,
    uri: links.route(edgeId, id),
    description: route.description,
    metadata: route.metadata,
    ...showModules(route, { links, edgeId, routeId: id, signing }),
  };
}
