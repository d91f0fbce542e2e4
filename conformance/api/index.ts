/** What this API adds to what follows from its contract. */
import type { Contract } from '../engine/contract/load.ts';
import { type Level, operationsOf } from '../engine/contract/operations.ts';
import type { Api } from '../engine/requirements/api.ts';
import type { Requirement } from '../engine/requirements/requirement.ts';
import * as engine from '../engine/requirements/requirements-of.ts';
import { bodiesFor } from './bodies-for.ts';
import { CALL_DATA } from './call-data.ts';
import { expectEcho, sendable, weightOf } from './clauses.ts';
import { edgeDeleteLaws } from './laws/edge-deletes.ts';
import { edgeEchoes } from './laws/edge-echoes.ts';
import { edgeListLaws } from './laws/edge-list.ts';
import { edgeUpdateLaws } from './laws/edge-updates.ts';
import { edgeLaws } from './laws/edges.ts';
import { eventSourceLaws } from './laws/event-sources.ts';
import { eventTypeLaws } from './laws/event-types.ts';
import { extendedRaceLaws } from './laws/extended-races.ts';
import { pageLaws } from './laws/pages.ts';
import { raceLaws } from './laws/races.ts';
import { readOnlyChanges } from './laws/read-only-changes.ts';
import { readOnlyReads } from './laws/read-only-reads.ts';
import { routeAuthenticationLaws } from './laws/route-authentication.ts';
import { matchLaws } from './laws/route-matches.ts';
import { routeModelLaws } from './laws/route-model.ts';
import { moduleLaws } from './laws/route-modules.ts';
import { routeUpdateLaws } from './laws/route-updates.ts';
import { routeLaws } from './laws/routes.ts';
import { samlLaws } from './laws/saml.ts';
import { sequenceLaws } from './laws/sequences.ts';
import { unknownResources } from './laws/unknown-resources.ts';
import { upstreamLaws } from './laws/upstream.ts';
import { authenticationRequirements, refusedWithoutToken } from './protocol/authentication.ts';
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
  // One that the service did not issue (D16).
  mayRefuse: (parameter) => parameter === 'cursor',
  probe: (parameter, { testData }) => {
    if (parameter === 'type') return 'conformance_probe.v0';
    return parameter === 'subscription_id' ? testData.subscriptionIds[0] : undefined;
  },
  adviceWhenNothingIsFound: 'Where only some subscriptions exist, name one with --subscription-id',
  survey: surveySubscriptions,
};

/** Those of the engine, and those of this API. */
export function requirementsOf(contract: Contract, level: Level = 'extended'): Requirement[] {
  return engine.requirementsOf(contract, EDGE_API, level);
}

function lawsOf(contract: Contract, level: Level): Requirement[] {
  const operations = operationsOf(contract);
  const offered = operations.filter((operation) => operation.level === 'core' || level === 'extended');
  return [
    ...offered.flatMap((operation) => [
      ...operationProtocol(operation),
      ...queryRequirements(operation),
      ...twoErrorRequirements(operation),
      ...jsonByteRequirements(operation),
      ...contentTypeRequirements(operation),
      ...headerFieldRequirements(operation),
    ]),
    ...edgeLaws(),
    ...edgeEchoes(),
    ...unknownResources(),
    ...edgeUpdateLaws(),
    ...edgeDeleteLaws(),
    ...edgeListLaws(),
    ...routeLaws(),
    ...moduleLaws(),
    ...samlLaws(),
    ...matchLaws(),
    ...routeUpdateLaws(),
    ...routeAuthenticationLaws(),
    ...upstreamLaws(),
    ...extendedRaceLaws(),
    ...routeModelLaws(),
    ...eventSourceLaws(),
    ...sequenceLaws(),
    ...eventTypeLaws(),
    ...pageLaws(),
    ...raceLaws(),
    ...protocolRequirements(operations),
    ...authenticationRequirements(offered),
    refusedWithoutToken(),
    authorizationFields(),
    ...openServiceRequirements(),
    requestIds(),
    notHttp(),
    ...otherwiseValid(),
    minVersion(),
    refs(),
    ...readOnlyChanges(offered),
    ...readOnlyReads(offered),
  ];
}
