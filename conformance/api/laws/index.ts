/** All laws of this API: those of its resources, and its own. */
import type { Operation } from '../../engine/contract/operations.ts';
import { lawsOf } from '../../engine/laws/index.ts';
import { refusalsOf } from '../../engine/laws/refused.ts';
import { type Requirement, statedIn } from '../../engine/requirements/requirement.ts';
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
import { MODULE_NAMES } from '../modules.ts';
import { moduleLaws, ofModule } from './modules.ts';
import { raceLaws } from './races.ts';
import { readOnlyLaws } from './read-only.ts';
import { routeUpdateLaws } from './route-updates.ts';
import { samlLaws } from './saml.ts';
import { signInLaws } from './sign-in.ts';
import { upstreamLaws } from './upstream.ts';

/** @param operations all of the contract */
export function apiLaws(operations: readonly Operation[]): Requirement[] {
  return [
    ...statedIn('api/resources/edges.ts', lawsOf(edges, edgeRules, operations)),
    ...statedIn('api/laws/edges.ts', edgeLaws()),
    ...statedIn('api/resources/routes.ts', lawsOf(routes, routeRules, operations)),
    ...statedIn('api/laws/matches.ts', matchLaws()),
    ...statedIn('api/laws/route-updates.ts', routeUpdateLaws()),
    ...statedIn('api/modules.ts', MODULE_NAMES.map(ofModule)),
    ...statedIn('api/laws/modules.ts', moduleLaws()),
    ...statedIn('api/laws/module-defaults.ts', moduleDefaultLaws()),
    ...statedIn('api/laws/headers.ts', headerLaws()),
    ...statedIn('api/laws/sign-in.ts', signInLaws()),
    ...statedIn('api/laws/saml.ts', samlLaws()),
    ...statedIn('api/laws/authentication.ts', authenticationLaws()),
    ...statedIn('api/laws/upstream.ts', upstreamLaws()),
    ...statedIn('api/resources/sources.ts', lawsOf(sources, sourceRules, operations)),
    ...statedIn('api/laws/event-types.ts', eventTypeLaws()),
    ...statedIn('api/laws/races.ts', raceLaws()),
    ...statedIn('api/laws/model.ts', modelLaws()),
    ...[edges, routes, sources].flatMap((resource) =>
      statedIn('engine/laws/refused.ts', refusalsOf(resource, operations)),
    ),
    ...statedIn('api/laws/read-only.ts', readOnlyLaws(operations)),
  ];
}
