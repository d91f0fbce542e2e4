/** Every requirement of a contract, in the order in which a report shows them. */
import type { Contract } from '../contract/load.ts';
import { type Level, operationsOf } from '../contract/operations.ts';
import type { Api } from './api.ts';
import { bodyRequirements } from './bodies.ts';
import { parameterRequirements } from './parameters.ts';
import type { Requirement } from './requirement.ts';
import { success } from './success.ts';

/** All of the level, and perhaps more: those of a level are listed without what only a higher one has. */
export function requirementsOf(contract: Contract, api: Api, level: Level = 'extended'): Requirement[] {
  const operations = operationsOf(contract).filter((one) => one.level === 'core' || level === 'extended');
  const derived = operations.flatMap((operation) => [
    success(operation, api),
    ...parameterRequirements(contract, operation, api),
    ...bodyRequirements(contract, operation, api),
  ]);
  const own = api.laws?.(contract, level) ?? [];
  const replaced = new Set(own.map(({ id }) => id));
  return [...derived.filter(({ id }) => !replaced.has(id)), ...own];
}
