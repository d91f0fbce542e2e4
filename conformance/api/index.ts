/** What this API adds to what follows from its contract. */
import type { Contract } from '../engine/contract/load.ts';
import { type Level, operationsOf } from '../engine/contract/operations.ts';
import type { Api } from '../engine/requirements/api.ts';
import { type Requirement, statedIn } from '../engine/requirements/requirement.ts';
import * as engine from '../engine/requirements/requirements-of.ts';
import { bodiesFor } from './bodies-for.ts';
import { CALL_DATA } from './call-data.ts';
import { expectEcho, sendable, weightOf } from './clauses.ts';
import { apiLaws } from './laws/index.ts';
import { authenticationRequirements, refusedWithoutToken, schemeInLowerCase } from './protocol/authentication.ts';
import { contentTypeRequirements } from './protocol/content-types.ts';
import { authorizationFields, headerFieldRequirements } from './protocol/header-fields.ts';
import { jsonByteRequirements } from './protocol/json-bytes.ts';
import { notHttp } from './protocol/not-http.ts';
import { openServiceRequirements } from './protocol/open-service.ts';
import { requestIds } from './protocol/request-ids.ts';
import { twoErrorRequirements } from './protocol/two-errors.ts';
import { minVersion } from './laws/min-version.ts';
import { otherwiseValid } from './laws/otherwise-valid.ts';
import { refs } from './laws/refs.ts';
import { operationProtocol } from './protocol/operations.ts';
import { protocolRequirements } from './protocol/paths.ts';
import { queryRequirements } from './protocol/query.ts';
import { surveySubscriptions } from './survey.ts';
import { knownBodies } from './values/known-values.ts';

export const EDGE_API: Api = {
  callData: CALL_DATA,
  laws: lawsOf,
  bodies: bodiesFor,
  knows: knownBodies,
  sendable,
  expectEcho,
  weight: weightOf,
  // Decimal digits, and `true` and `false` (D31).
  exactTexts: true,
  // One that the service did not issue (D16).
  mayRefuse: (parameter) => parameter === 'cursor',
  probe: (parameter, { testData }) => {
    if (parameter === 'type') return 'conformance_probe.v0';
    return parameter === 'subscription_id' ? testData.subscriptionIds[0] : undefined;
  },
  adviceWhenNothingIsFound: 'Where only some subscriptions exist, name one with --subscription-id',
  survey: surveySubscriptions,
  lookBack: (implementation) => implementation.lostEdges.lookFor(implementation),
};

/** Whether a contract is one of this API, of whichever version. */
export function isEdgeContract(contract: Contract): boolean {
  const ids = new Set(operationsOf(contract).map(({ operationId }) => operationId));
  return /Edge and Event Source/.test(contract.title) && ids.has('createEdge') && ids.has('createEventSource');
}

/** Those of the engine, and those of this API. */
export function requirementsOf(contract: Contract, level: Level = 'extended'): Requirement[] {
  return engine.requirementsOf(contract, EDGE_API, level);
}

function lawsOf(contract: Contract, level: Level): Requirement[] {
  const operations = operationsOf(contract);
  const offered = operations.filter((operation) => operation.level === 'core' || level === 'extended');
  return [
    ...offered.flatMap((operation) => [
      ...statedIn('api/protocol/operations.ts', operationProtocol(operation)),
      ...statedIn('api/protocol/query.ts', queryRequirements(operation)),
      ...statedIn('api/protocol/two-errors.ts', twoErrorRequirements(operation)),
      ...statedIn('api/protocol/json-bytes.ts', jsonByteRequirements(operation)),
      ...statedIn('api/protocol/content-types.ts', contentTypeRequirements(operation)),
      ...statedIn('api/protocol/header-fields.ts', headerFieldRequirements(operation)),
    ]),
    ...apiLaws(operations),
    ...statedIn('api/protocol/paths.ts', protocolRequirements(operations)),
    ...statedIn('api/protocol/authentication.ts', [
      ...authenticationRequirements(offered),
      refusedWithoutToken(),
      schemeInLowerCase(),
    ]),
    ...statedIn('api/protocol/header-fields.ts', [authorizationFields()]),
    ...statedIn('api/protocol/open-service.ts', openServiceRequirements()),
    ...statedIn('api/protocol/request-ids.ts', [requestIds()]),
    ...statedIn('api/protocol/not-http.ts', [notHttp()]),
    ...statedIn('api/laws/otherwise-valid.ts', otherwiseValid()),
    ...statedIn('api/laws/min-version.ts', [minVersion()]),
    ...statedIn('api/laws/refs.ts', [refs()]),
  ];
}
