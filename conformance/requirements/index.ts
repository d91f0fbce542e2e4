/** Every requirement of a contract, in the order in which a report shows them. */
import type { Contract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { authenticationRequirements, refusedWithoutToken } from './authentication.ts';
import { bodyRequirements } from './bodies.ts';
import { edgeEchoes } from './edge-echoes.ts';
import { edgeLaws } from './edges.ts';
import { eventSourceLaws } from './event-sources.ts';
import { eventTypeLaws } from './event-types.ts';
import { operationRequirements } from './operations.ts';
import { pageLaws } from './pages.ts';
import { parameterRequirements } from './parameters.ts';
import { protocolRequirements } from './protocol.ts';
import { raceLaws } from './races.ts';
import type { Requirement } from './requirement.ts';
import { sequenceLaws } from './sequences.ts';
import { unknownResources } from './unknown-resources.ts';

export function requirementsOf(contract: Contract): Requirement[] {
  const operations = operationsOf(contract);
  return [
    ...operations.flatMap((operation) => [
      ...operationRequirements(operation),
      ...parameterRequirements(contract, operation),
      ...bodyRequirements(contract, operation),
    ]),
    ...edgeLaws(),
    ...edgeEchoes(),
    ...unknownResources(),
    ...eventSourceLaws(),
    ...sequenceLaws(),
    ...eventTypeLaws(),
    ...pageLaws(),
    ...raceLaws(),
    ...protocolRequirements(operations),
    ...authenticationRequirements(operations),
    refusedWithoutToken(),
  ];
}
