/** All laws of this API: those of its resources, and its own. */
import type { Operation } from '../../engine/contract/operations.ts';
import { lawsOf } from '../../engine/laws/index.ts';
import { refusalsOf } from '../../engine/laws/refused.ts';
import type { Requirement } from '../../engine/requirements/requirement.ts';
import { edgeRules, edges } from '../resources/edges.ts';
import { routeRules, routes } from '../resources/routes.ts';
import { sourceRules, sources } from '../resources/sources.ts';
import { authenticationLaws } from './authentication.ts';
import { edgeLaws } from './edges.ts';
import { eventTypeLaws } from './event-types.ts';
import { headerLaws } from './headers.ts';
import { matchLaws } from './matches.ts';
import { modelLaws } from './model.ts';
import { moduleDefaultLaws } from './module-defaults.ts';
import { moduleLaws } from './modules.ts';
import { raceLaws } from './races.ts';
import { readOnlyLaws } from './read-only.ts';
import { routeUpdateLaws } from './route-updates.ts';
import { samlLaws } from './saml.ts';
import { signInLaws } from './sign-in.ts';
import { upstreamLaws } from './upstream.ts';

/** @param operations all of the contract */
export function apiLaws(operations: readonly Operation[]): Requirement[] {
  return [
    ...lawsOf(edges, edgeRules, operations),
    ...edgeLaws(),
    ...lawsOf(routes, routeRules, operations),
    ...matchLaws(),
    ...routeUpdateLaws(),
    ...moduleLaws(),
    ...moduleDefaultLaws(),
    ...headerLaws(),
    ...signInLaws(),
    ...samlLaws(),
    ...authenticationLaws(),
    ...upstreamLaws(),
    ...lawsOf(sources, sourceRules, operations),
    ...eventTypeLaws(),
    ...raceLaws(),
    ...modelLaws(),
    ...[edges, routes, sources].flatMap((resource) => refusalsOf(resource, operations)),
    ...readOnlyLaws(operations),
  ];
}
