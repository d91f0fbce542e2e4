/** What a change must go together with: the rest of its edge, other routes, other modules. */
import type { EdgeInput } from './edge-input.ts';
import type { Edge, Route } from './edge-store.ts';
import { Refusal } from './problem.ts';
import { MODULE_NAMES, type ModuleName, type RouteInput, SIGN_IN } from './route-input.ts';

const MOST_ROUTES = 1000;
/** Any limit from 2 to 4 MiB is right. */
const MOST_BYTES = 3 * 2 ** 20;
/** What works without seeing the traffic. */
const BLIND: readonly ModuleName[] = ['backend', 'ip_restriction'];

const seesTraffic = (route: RouteInput) => MODULE_NAMES.some((name) => !BLIND.includes(name) && route[name] !== null);

export function requireAgreement(edge: EdgeInput, routes: readonly RouteInput[]): void {
  if (edge.tlsTermination?.terminateAt !== 'upstream') return;
  if (edge.mutualTls !== null) {
    throw new Refusal('conflict', 'TLS ends upstream or client certificates are verified here: not both.');
  }
  if (routes.some(seesTraffic)) {
    throw new Refusal('conflict', 'TLS ends upstream or a module of a route sees the traffic: not both.');
  }
}

export function requireRoom(edge: Edge): void {
  if (edge.routes.length >= MOST_ROUTES) throw new Refusal('conflict', `An edge has ${MOST_ROUTES} routes at most.`);
}

export function requireOneSignIn(route: RouteInput): void {
  if (SIGN_IN.filter((name) => route[name]?.enabled === true).length > 1) {
    throw new Refusal('conflict', 'This would enable a second module that signs users in.');
  }
}

export function requireSmall(edge: EdgeInput, routes: readonly RouteInput[]): void {
  if (Buffer.byteLength(JSON.stringify({ ...edge, routes })) <= MOST_BYTES) return;
  throw new Refusal('conflict', `An edge with its routes has ${MOST_BYTES} bytes at most.`);
}

/** `itself` is the route that changes. */
export function requireUnique(edge: Edge, { matchType, match }: RouteInput, itself?: Route): void {
  if (edge.routes.some((one) => one.id !== itself?.id && one.matchType === matchType && one.match === match)) {
    throw new Refusal('already_exists', 'A route of this edge matches exactly this as it is.');
  }
}
