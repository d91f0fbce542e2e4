/** Operations that a run leaves out, because they may harm resources that it did not make. */
import type { Contract } from '../contract/load.ts';
import { operationsOf } from '../contract/operations.ts';
import { whyLeftOut } from '../survey/left-out.ts';
import { matchesGlob } from './id-patterns.ts';

export interface LeftOut {
  operationId: string;
  /** Why, and what the user can do, as a half sentence. */
  reason: string;
}

/** @param allow globs of the ids of operations that the user allows */
export function leftOutOperations(contract: Contract, allow: readonly string[]): LeftOut[] {
  const found: LeftOut[] = [];
  for (const operation of operationsOf(contract)) {
    const why = whyLeftOut(contract, operation);
    if (why !== undefined && !matchesGlob(allow, operation.operationId)) {
      const { operationId } = operation;
      found.push({ operationId, reason: `left out: ${why}; --allow ${operationId} tries it` });
    }
  }
  return found;
}
