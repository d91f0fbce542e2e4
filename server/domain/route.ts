/** Routes of an edge (source §2.5, D10, D11, D18, D21). */
import type { Links } from './links.ts';
import { Refusal } from './refusal.ts';
import { keepModules, type ModuleRecords, NO_MODULES, showModules, type SigningCertificate } from './route-modules.ts';
import type { Route, RouteCreate, RouteUpdate } from './types.ts';

/** A route as it is kept: with every default filled in, ids in place of Refs, and no URI. */
export interface RouteRecord extends ModuleRecords {
  id: string;
  created_at: string;
  match_type: Route['match_type'];
  match: string;
  description: string;
  metadata: string;
  /** Made once for a route, when it first gets SAML, and kept when SAML goes, so that it is the same when it returns. */
  signing: SigningCertificate | null;
}

/**
 * @param input valid by the contract
 * @param supplied `signing` is needed where `input` has SAML
 */
export function createRoute(
  input: RouteCreate,
  supplied: { id: string; created_at: string; signing: SigningCertificate | null },
): RouteRecord {
  return {
    ...supplied,
    match_type: input.match_type,
    match: input.match,
    description: input.description ?? '',
    metadata: input.metadata ?? '',
    ...NO_MODULES,
    ...keepModules(input),
  };
}

/**
 * What is left out stays, null removes or resets, anything else replaces whole (D11).
 * @throws Refusal `conflict` when a second authentication module would be enabled (D21)
 */
export function updateRoute(route: RouteRecord, input: RouteUpdate, signing: SigningCertificate | null): RouteRecord {
  const next = {
    ...route,
    ...(input.match_type === undefined ? {} : { match_type: input.match_type }),
    ...(input.match === undefined ? {} : { match: input.match }),
    ...(input.description === undefined ? {} : { description: input.description ?? '' }),
    ...(input.metadata === undefined ? {} : { metadata: input.metadata ?? '' }),
    ...keepModules(input),
    signing: route.signing ?? signing,
  };
  const enabled = (['oauth', 'saml', 'oidc'] as const).filter((name) => next[name]?.enabled);
  if (enabled.length > 1) {
    throw new Refusal('conflict', `The route would have ${enabled.join(' and ')} enabled; at most one of them may be.`);
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
    ...showModules(modules, links, { edge_id, id, signing }),
  };
}
