/** Every requirement of a contract, in the order in which a report shows them. */
import type { Contract } from '../engine/contract/load.ts';
import { operationsOf } from '../engine/contract/operations.ts';
import { authenticationRequirements, refusedWithoutToken } from '../engine/requirements/authentication.ts';
import { bodyRequirements } from '../engine/requirements/bodies.ts';
import { apiLaws } from './laws/index.ts';
import type { Level } from '../engine/report/report.ts';
import { operationRequirements } from '../engine/requirements/operations.ts';
import { parameterRequirements } from '../engine/requirements/parameters.ts';
import { protocolRequirements } from '../engine/requirements/protocol.ts';
import type { Requirement } from '../engine/requirements/requirement.ts';

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
    ...apiLaws(operations),
    ...protocolRequirements(operations),
    ...authenticationRequirements(judged),
    refusedWithoutToken(),
  ];
}
