/** Every requirement of a contract, in the order in which a report shows them. */
import type { Contract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { authenticationRequirements, refusedWithoutToken } from '../engine/requirements/authentication.ts';
import { bodyRequirements } from '../engine/requirements/bodies.ts';
import { edgeDeleteLaws } from './laws/edge-deletes.ts';
import { edgeEchoes } from './laws/edge-echoes.ts';
import { edgeListLaws } from './laws/edge-list.ts';
import { edgeUpdateLaws } from './laws/edge-updates.ts';
import { edgeLaws } from './laws/edges.ts';
import { eventSourceLaws } from './laws/event-sources.ts';
import { eventTypeLaws } from './laws/event-types.ts';
import { extendedRaceLaws } from './laws/extended-races.ts';
import type { Level } from '../engine/report/report.ts';
import { contentTypeRequirements } from '../engine/requirements/content-types.ts';
import { authorizationFields, headerFieldRequirements } from '../engine/requirements/header-fields.ts';
import { jsonByteRequirements } from '../engine/requirements/json-bytes.ts';
import { notHttp } from '../engine/requirements/not-http.ts';
import { openServiceRequirements } from '../engine/requirements/open-service.ts';
import { requestIds } from '../engine/requirements/request-ids.ts';
import { minVersion } from './laws/min-version.ts';
import { refs } from './laws/refs.ts';
import { otherwiseValid } from './laws/otherwise-valid.ts';
import { operationRequirements } from '../engine/requirements/operations.ts';
import { pageLaws } from './laws/pages.ts';
import { parameterRequirements } from '../engine/requirements/parameters.ts';
import { protocolRequirements } from '../engine/requirements/protocol.ts';
import { raceLaws } from './laws/races.ts';
import { readOnlyChanges } from './laws/read-only-changes.ts';
import { readOnlyReads } from './laws/read-only-reads.ts';
import type { Requirement } from '../engine/requirements/requirement.ts';
import { routeAuthenticationLaws } from './laws/route-authentication.ts';
import { matchLaws } from './laws/route-matches.ts';
import { routeModelLaws } from './laws/route-model.ts';
import { moduleLaws } from './laws/route-modules.ts';
import { routeUpdateLaws } from './laws/route-updates.ts';
import { routeLaws } from './laws/routes.ts';
import { samlLaws } from './laws/saml.ts';
import { sequenceLaws } from './laws/sequences.ts';
import { twoErrorRequirements } from '../engine/requirements/two-errors.ts';
import { unknownResources } from './laws/unknown-resources.ts';
import { upstreamLaws } from './laws/upstream.ts';

/** All of the level, and perhaps more. Those that come from the clauses of a route are many, and take a while to find. */
export function requirementsOf(contract: Contract, level: Level = 'extended'): Requirement[] {
  const operations = operationsOf(contract);
  const judged = level === 'core' ? operations.filter((operation) => operation.level === 'core') : operations;
  return [
    ...judged.flatMap((operation) => [
      ...operationRequirements(operation),
      ...parameterRequirements(contract, operation),
      ...bodyRequirements(contract, operation),
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
    ...authenticationRequirements(judged),
    refusedWithoutToken(),
    authorizationFields(),
    ...openServiceRequirements(),
    requestIds(),
    notHttp(),
    ...otherwiseValid(),
    minVersion(),
    refs(),
    ...readOnlyChanges(judged),
    ...readOnlyReads(judged),
  ];
}
