/** Every requirement of a contract, in the order in which a report shows them. */
import type { Contract } from '../contract/load.ts';
import { type Level, type Operation, operationsOf } from '../contract/operations.ts';
import { Unsupported } from '../contract/keywords.ts';
import type { Api } from './api.ts';
import { bodyRequirements } from './bodies.ts';
import { headerFieldRequirements } from './header-fields.ts';
import { parameterRequirements } from './parameters.ts';
import { type Requirement, requirementOf, statedIn, untried } from './requirement.ts';
import { structureRequirements } from './structure.ts';
import { authenticationRequirements, mediaTypeRequirements, success } from './statuses.ts';

type Prefixes = readonly string[];

/** All of the level, and perhaps more. @param prefixes operations whose ids begin with none of them are left out */
export function requirementsOf(
  contract: Contract,
  api: Api,
  level: Level = 'extended',
  prefixes: Prefixes = [''],
) {
  const isNamed = (id: string) =>
    prefixes.some((prefix) => prefix.startsWith(id) || id.startsWith(prefix));
  const operations = operationsOf(contract)
    .filter((one) => one.level === 'core' || level === 'extended')
    .filter(({ operationId }) => isNamed(`${operationId}.`));
  const derived = operations.flatMap((operation) => derivedFrom(contract, operation, api));
  const own = api.laws?.(contract, level) ?? [];
  const replaced = new Set(own.map(({ id }) => id));
  return [...derived.filter(({ id }) => !replaced.has(id)), ...own];
}

function derivedFrom(contract: Contract, operation: Operation, api: Api): Requirement[] {
  if (operation.unsupported !== undefined) {
    return unsupported(operation, 'request', operation.unsupported);
  }
  const parts: [part: string, file: string, () => Requirement[]][] = [
    ['success', 'statuses', () => [success(operation, api)]],
    ['parameters', 'parameters', () => parameterRequirements(contract, operation, api)],
    ['body', 'bodies', () => bodyRequirements(contract, operation, api)],
    ['structure', 'structure', () => structureRequirements(contract, operation)],
    ['media-types', 'statuses', () => mediaTypeRequirements(operation)],
    ['header-fields', 'header-fields', () => headerFieldRequirements(operation, api)],
    ['credentials', 'statuses', () => authenticationRequirements(contract, operation)],
  ];
  return parts.flatMap(([part, file, requirements]) => {
    try {
      return statedIn(`engine/requirements/${file}.ts`, requirements());
    } catch (error) {
      if (error instanceof Unsupported) {
        return unsupported(operation, part, error.message);
      }
      // An error of the suite, which its own run reports: the others are tried all the same.
      const rethrow = (): never => {
        throw error;
      };
      const sentence = `${operation.operationId} keeps to the contract (${part}).`;
      return statedIn(`engine/requirements/${file}.ts`, [
        requirementOf(operation, part, operation, sentence, rethrow),
      ]);
    }
  });
}

/** @param part of what the contract says about the operation */
function unsupported(operation: Operation, part: string, reason: string): Requirement[] {
  const sentence = `${operation.operationId} keeps to the contract, which says something here that the suite cannot try (${part}).`;
  return statedIn('engine/requirements/requirements-of.ts', [
    untried(operation, part, sentence, reason),
  ]);
}
