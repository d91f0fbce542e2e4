/** Every requirement of a contract, in the order in which a report shows them. */
import { Unsupported } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { includesLevel, type Level, type Operation, operationsOf } from '../contract/operations.ts';
import type { Api } from './api.ts';
import { bodyClauseRequirements } from './bodies.ts';
import { bodyTypeRequirements } from './body-types.ts';
import { headerFieldRequirements } from './header-fields.ts';
import { memberOrderRequirements } from './member-order.ts';
import { parameterRequirements } from './parameters.ts';
import { type Requirement, requirementOf, skippedRequirement, statedIn } from './requirement.ts';
import { credentialRequirements, mediaTypeRequirements, success } from './statuses.ts';
import { robustnessRequirements } from './robustness.ts';
import { structureRequirements } from './structure.ts';
import { unknownReferenceRequirements } from './unknown-references.ts';

/** A part of an operation in the contract. */
interface Part {
  name: string;
  /** The file that derives its requirements, without its ending. */
  file: string;
  derive(contract: Contract, operation: Operation, api: Api): Requirement[];
}

const PARTS: readonly Part[] = [
  {
    name: 'success',
    file: 'statuses',
    derive: (_, operation, api) => [success(operation, api)],
  },
  { name: 'parameters', file: 'parameters', derive: parameterRequirements },
  { name: 'body', file: 'bodies', derive: bodyClauseRequirements },
  { name: 'order', file: 'member-order', derive: memberOrderRequirements },
  {
    name: 'unknown-references',
    file: 'unknown-references',
    derive: unknownReferenceRequirements,
  },
  { name: 'structure', file: 'structure', derive: structureRequirements },
  {
    name: 'media-types',
    file: 'statuses',
    derive: (_, operation) => mediaTypeRequirements(operation),
  },
  { name: 'body-types', file: 'body-types', derive: bodyTypeRequirements },
  {
    name: 'header-fields',
    file: 'header-fields',
    derive: (_, operation, api) => headerFieldRequirements(operation, api),
  },
  { name: 'credentials', file: 'statuses', derive: credentialRequirements },
  { name: 'robustness', file: 'robustness', derive: robustnessRequirements },
];

/**
 * All requirements of the level, and perhaps more.
 * @param prefixes operations whose ids begin with none of them are left out
 * @throws Error if a law of the API has the id of a derived requirement, and the API does not say
 * that it replaces it
 */
export function requirementsOf(
  contract: Contract,
  api: Api,
  level: Level = 'extended',
  prefixes: readonly string[] = [''],
): Requirement[] {
  const isNamed = (id: string): boolean =>
    prefixes.some((prefix) => prefix.startsWith(id) || id.startsWith(prefix));
  const operations = operationsAt(contract, level).filter(({ operationId }) =>
    isNamed(`${operationId}.`),
  );
  const derived = operations.flatMap((operation) => derivedFrom(contract, operation, api));
  const laws = api.laws?.(contract, level) ?? [];
  const idsOfLaws = idsIn(laws);
  const stated = derived.filter(({ id }) => idsOfLaws.has(id));
  const undeclared = stated.find(({ id }) => !api.replaces?.includes(id));
  if (undeclared !== undefined) {
    const { id } = undeclared;
    throw new Error(
      `${id} is both derived and a law of the API: list it as replaced, or rename it`,
    );
  }
  return [...derived.filter(({ id }) => !idsOfLaws.has(id)), ...laws];
}

/**
 * The ids that the API lists as replaced, although they are not both derived from the contract and
 * laws of the API.
 */
export function wronglyReplaced(contract: Contract, api: Api): string[] {
  const operations = operationsAt(contract, 'extended');
  const derived = idsIn(operations.flatMap((operation) => derivedFrom(contract, operation, api)));
  const laws = idsIn(api.laws?.(contract, 'extended') ?? []);
  const listed = api.replaces ?? [];
  return listed.filter((id) => !derived.has(id) || !laws.has(id));
}

const operationsAt = (contract: Contract, level: Level): Operation[] =>
  operationsOf(contract).filter((one) => includesLevel(level, one.level));

const idsIn = (requirements: readonly Requirement[]): Set<string> =>
  new Set(requirements.map(({ id }) => id));

function derivedFrom(contract: Contract, operation: Operation, api: Api): Requirement[] {
  if (operation.unsupported !== undefined) {
    return unsupported(operation, 'request', operation.unsupported);
  }
  return PARTS.flatMap(({ name, file, derive }) => {
    try {
      return statedIn(`engine/requirements/${file}.ts`, derive(contract, operation, api));
    } catch (error) {
      if (error instanceof Unsupported) {
        return unsupported(operation, name, error.message);
      }
      return statedIn(`engine/requirements/${file}.ts`, [failing(operation, name, error)]);
    }
  });
}

/**
 * An error of the suite, which a run reports as that of this requirement: the others are tried all
 * the same.
 */
function failing(operation: Operation, part: string, error: unknown): Requirement {
  const sentence = `${operation.operationId} keeps to the contract (${part}).`;
  return requirementOf(operation, part, {
    stated: operation,
    sentence,
    properties: () => {
      throw error;
    },
  });
}

/** @param part of the operation in the contract */
function unsupported(operation: Operation, part: string, reason: string): Requirement[] {
  const what = `the contract, which says something here that the suite cannot try (${part})`;
  const sentence = `${operation.operationId} keeps to ${what}.`;
  return statedIn('engine/requirements/requirements-of.ts', [
    skippedRequirement(operation, part, sentence, reason),
  ]);
}
