/** The requirements of this API: those that follow from its contract, and its own. */
import type { Contract } from '../engine/contract/load.ts';
import { includesLevel, type Level, operationsOf } from '../engine/contract/operations.ts';
import { lawsOfResource } from '../engine/laws/index.ts';
import { unchangedRequirements } from '../engine/laws/unchanged.ts';
import type { Api } from '../engine/requirements/api.ts';
import { type Requirement, statedIn } from '../engine/requirements/requirement.ts';
import { requirementsOf } from '../engine/requirements/requirements-of.ts';
import { INFO } from './define.ts';
import { BODIES, resourcesOf } from './implementation.ts';
import { matchLaws } from './laws/matches.ts';
import { moduleDefaultLaws } from './laws/module-defaults.ts';
import { moduleValueLaws } from './laws/module-values.ts';
import { moduleLaws } from './laws/modules.ts';
import { edgeRaceLaws } from './laws/races.ts';
import { refusedBesideLaws } from './laws/refused-beside.ts';
import { samlLaws } from './laws/saml.ts';
import { secretLaws } from './laws/secrets.ts';
import { sequenceLaws } from './laws/sequences.ts';
import { signInLaws } from './laws/sign-in.ts';
import { upstreamLaws } from './laws/upstream.ts';
import { edgeImplementation, noteForeignSources } from './tracker.ts';
import {
  authenticationRequirements,
  contentRequirements,
  requestRequirements,
} from './protocol/index.ts';
import { REPLACED_REQUIREMENTS } from './replaced-requirements.ts';
import { edgeLaws, edgeRules, edgesOf } from './resources/edges.ts';
import { routeLaws, routeRules, routesOf } from './resources/routes.ts';
import { sourceLaws, sourceRules, sourcesOf } from './resources/sources.ts';
import { knownBodies } from './test-data.ts';

export const EDGE_API: Api = {
  laws: addedRequirements,
  replaces: REPLACED_REQUIREMENTS,
  ...BODIES,
  knows: (implementation) => knownBodies(edgeImplementation(implementation).testData),
  ignoresFields: { origin: 'D35', pointer: INFO, words: 'A header field that' },
  // Decimal digits, and `true` and `false` (D31).
  exactTexts: true,
  // One that the service did not issue, and the id of no edge (D16).
  mayRefuse: (parameter) => parameter === 'cursor' || parameter === 'before_id',
  probe: (parameter, implementation) => {
    if (parameter === 'type') {
      return 'conformance_probe.v0';
    }
    if (parameter === 'subscription_id') {
      return edgeImplementation(implementation).testData.subscriptionIds[0];
    }
    return undefined;
  },
  adviceWhenNothingIsFound: 'Where only some subscriptions exist, name one with --subscription-id',
  lookAhead: noteForeignSources,
  lookBack: (implementation) =>
    edgeImplementation(implementation).lostEdges.lookFor(implementation),
};

/** Whether a contract is one of this API, of whichever version. */
export function isEdgeContract(contract: Contract): boolean {
  const ids = new Set(operationsOf(contract).map(({ operationId }) => operationId));
  return (
    /Edge and Event Source/.test(contract.title) &&
    ids.has('createEdge') &&
    ids.has('createEventSource')
  );
}

/** Those of the engine, and those of this API. */
export function edgeApiRequirements(contract: Contract, level: Level = 'extended'): Requirement[] {
  return requirementsOf(contract, EDGE_API, level);
}

function addedRequirements(contract: Contract, level: Level): Requirement[] {
  const operations = operationsOf(contract);
  const offered = operations.filter((operation) => includesLevel(level, operation.level));
  return [
    ...contentRequirements(offered),
    ...apiLaws(contract),
    ...requestRequirements(operations, offered),
    ...authenticationRequirements(operations, offered),
  ];
}

/** The laws of the resources, and those of this API alone. */
export function apiLaws(contract: Contract): Requirement[] {
  const operations = operationsOf(contract);
  return [
    ...statedIn('api/resources/edges.ts', [
      ...lawsOfResource(edgesOf(contract), edgeRules, operations),
      ...edgeLaws,
    ]),
    ...statedIn('api/resources/routes.ts', [
      ...lawsOfResource(routesOf(contract), routeRules, operations),
      ...routeLaws,
    ]),
    ...statedIn('api/laws/modules.ts', moduleLaws),
    ...statedIn('api/laws/module-values.ts', moduleValueLaws),
    ...statedIn('api/laws/module-defaults.ts', moduleDefaultLaws),
    ...statedIn('api/laws/secrets.ts', secretLaws),
    ...statedIn('api/laws/saml.ts', samlLaws),
    ...statedIn('api/resources/sources.ts', [
      ...lawsOfResource(sourcesOf(contract), sourceRules, operations),
      ...sourceLaws,
    ]),
    ...statedIn('api/laws/matches.ts', matchLaws),
    ...statedIn('api/laws/upstream.ts', upstreamLaws),
    ...statedIn('api/laws/sign-in.ts', signInLaws),
    ...statedIn('api/laws/refused-beside.ts', refusedBesideLaws),
    ...statedIn('api/laws/races.ts', edgeRaceLaws),
    ...statedIn('api/laws/sequences.ts', sequenceLaws),
    ...resourcesOf(contract).flatMap((one) =>
      statedIn('engine/laws/unchanged.ts', unchangedRequirements(one, operations)),
    ),
  ];
}
