/**
 * Operations that the run was to try, and that never responded with a success: requirements that
 * passed say little about them.
 */
import { supported } from '../contract/keywords.ts';
import { type Operation, operationsOf, successOf } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import type { Surveyed } from '../http/recipe.ts';
import type { Report, RequirementResult } from './result.ts';

export interface Reach {
  /** The number of chosen operations: those whose success is one of the requirements of the run. */
  chosen: number;
  /** Those of them whose success was never seen, in the order of the contract. */
  neverSucceeded: Report['never_succeeded'];
}

/** @param results of all requirements of the run */
export function neverSucceeded(
  { contract, succeeded, survey }: Pick<Implementation, 'contract' | 'succeeded' | 'survey'>,
  results: readonly RequirementResult[],
): Reach {
  const byId = new Map(results.map((result) => [result.id, result]));
  const reach: Reach = { chosen: 0, neverSucceeded: [] };
  for (const operation of operationsOf(contract)) {
    const id = idOfSuccess(operation);
    const result = id === undefined ? undefined : byId.get(id);
    if (result === undefined || result.status === 'disabled') {
      continue;
    }
    reach.chosen++;
    if (succeeded[operation.operationId] === undefined) {
      reach.neverSucceeded.push(unreached(result, survey[operation.operationId], operation));
    }
  }
  return reach;
}

function unreached(
  result: RequirementResult,
  surveyed: Surveyed | undefined,
  { operationId }: Operation,
): Report['never_succeeded'][number] {
  const why = result.reason ?? surveyed?.reason ?? result.failure?.message;
  const found = { operation: operationId, reason: why ?? 'nothing has called it' };
  if (surveyed?.refusal === undefined) {
    return found;
  }
  return { ...found, refusal: surveyed.refusal };
}

/**
 * The id of the requirement that the operation succeeds, or of the one that has the reason why it
 * is not tried; undefined if the contract documents no success.
 */
function idOfSuccess(operation: Operation): string | undefined {
  const { operationId, unsupported } = operation;
  if (unsupported !== undefined) {
    return `${operationId}.request`;
  }
  return supported(
    () => `${operationId}.${successOf(operation).status}`,
    () => undefined,
  );
}
