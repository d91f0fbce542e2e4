/** Every requirement of a contract, in the order in which a report shows them. */
import type { Contract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { authenticationRequirements, refusedWithoutToken } from './authentication.ts';
import { bodyRequirements } from './bodies.ts';
import { edgeDeleteLaws } from './edge-deletes.ts';
import { edgeEchoes } from './edge-echoes.ts';
import { edgeListLaws } from './edge-list.ts';
import { edgeUpdateLaws } from './edge-updates.ts';
import { edgeLaws } from './edges.ts';
import { eventSourceLaws } from './event-sources.ts';
import { eventTypeLaws } from './event-types.ts';
import { extendedRaceLaws } from './extended-races.ts';
import type { Level } from '../report/report.ts';
import { operationRequirements } from './operations.ts';
import { pageLaws } from './pages.ts';
import { parameterRequirements } from './parameters.ts';
import { protocolRequirements } from './protocol.ts';
import { raceLaws } from './races.ts';
import { readOnlyChanges } from './read-only-changes.ts';
import { readOnlyReads } from './read-only-reads.ts';
import type { Requirement } from './requirement.ts';
import { routeAuthenticationLaws } from './route-authentication.ts';
import { matchLaws } from './route-matches.ts';
import { routeModelLaws } from './route-model.ts';
import { moduleLaws } from './route-modules.ts';
import { routeUpdateLaws } from './route-updates.ts';
import { routeLaws } from './routes.ts';
import { samlLaws } from './saml.ts';
import { sequenceLaws } from './sequences.ts';
import { unknownResources } from './unknown-resources.ts';
import { upstreamLaws } from './upstream.ts';

/** All of the level, and perhaps more. Those that come from the clauses of a route are many, and take a while to find. */
export function requirementsOf(contract: Contract, level: Level = 'extended'): Requirement[] {
  const operations = operationsOf(contract);
  const judged = level === 'core' ? operations.filter((operation) => operation.level === 'core') : operations;
  return [
    ...judged.flatMap((operation) => [
      ...operationRequirements(operation),
      ...parameterRequirements(contract, operation),
      ...bodyRequirements(contract, operation),
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
    ...readOnlyChanges(judged),
    ...readOnlyReads(judged),
  ];
}
