/** Surveys the operations of a run, and those that they may need. */
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf } from '../contract/operations.ts';
import { type Implementation, isOffered } from '../http/implementation.ts';
import { BrokenOff } from '../http/nonconformity.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { operationsNamedBy } from '../survey/named-resources.ts';
import { surveyOperations } from '../survey/survey.ts';
import { matchesGlob } from './id-patterns.ts';
import { leftOutOperations } from './left-out.ts';
import type { RunOptions } from './run-options.ts';
import type { Selected } from './select.ts';
import { secondsSince } from './ending.ts';
import type { Stops } from './stops.ts';

/** The implementation gets the result; or the reason why nothing more can be sent. */
export async function surveyChosen(
  implementation: Implementation,
  options: RunOptions,
  selected: readonly Selected[],
  stops: Stops,
): Promise<void> {
  const { allow, seed } = options;
  const { contract } = implementation;
  const leftOut = new Map<string, string>();
  for (const { operationId, reason } of leftOutOperations(contract, allow)) {
    leftOut.set(operationId, reason);
  }
  try {
    await surveyOperations(implementation, {
      operations: operationsToSurvey(implementation, selected, leftOut),
      seed,
      isAllowed: ({ operationId }) => matchesGlob(allow, operationId),
      whyLeftOut: ({ operationId }) => leftOut.get(operationId),
      isOver: () => isOver(options),
      hasStopped: () => hasStopped(implementation, stops),
    });
    if (implementation.suspects.areThere) {
      // What removes items stopped it, perhaps.
      await hasStopped(implementation, stops);
    }
  } catch (error) {
    if (!(error instanceof BrokenOff)) {
      throw error;
    }
    implementation.halted ??= error.message;
  }
}

/** Half of the time of a run is for its requirements, unless only the survey is wanted. */
function isOver({ maxSeconds, startedAt, survey }: RunOptions): boolean {
  return maxSeconds !== undefined && !survey && secondsSince(startedAt) > maxSeconds / 2;
}

/** Looks whether the service has stopped, and for the request that stops it. */
async function hasStopped(implementation: Implementation, stops: Stops): Promise<boolean> {
  const look = await stops.look();
  if (look.kind === 'responds') {
    return false;
  }
  if (look.suspected !== undefined && (look.kind === 'gone' || look.found === undefined)) {
    stops.noteUnknown(look.suspected);
  }
  if (look.kind === 'gone') {
    implementation.isGone = look.hasStopped;
    implementation.halted ??= `${look.reason} It stopped during the survey.`;
  }
  return true;
}

/**
 * Those whose requirements are tried, others of the same resource, others that these requirements
 * call, and those of the resources that bodies name; all if a requirement is about no operation
 * alone. What the user skips is not called. What is left out is not called, either, and is listed.
 * @param leftOut the reason, by `operationId`
 */
function operationsToSurvey(
  implementation: Implementation,
  selected: readonly Selected[],
  leftOut: ReadonlyMap<string, string>,
): Operation[] {
  const all = operationsOf(implementation.contract).filter((one) => isOffered(implementation, one));
  const chosen = new Set<Operation>();
  const skipped = new Set<Operation>();
  for (const operation of all) {
    const own = selected.filter(({ requirement }) => isOf(requirement, operation));
    const reason = leftOut.get(operation.operationId);
    if (own.some(({ disabled }) => disabled === undefined || disabled === reason)) {
      chosen.add(operation);
    } else if (own.length > 0) {
      skipped.add(operation);
    }
  }
  const isOfAll = selected.some(({ requirement, disabled }) => {
    return disabled === undefined && !all.some((operation) => isOf(requirement, operation));
  });
  const isNearChosen = (operation: Operation) =>
    isOfAll || [...chosen].some((other) => areNear(operation, other));
  const others = othersOf(selected);
  const near = all.filter((one) => {
    const isUsed = others.has(one.operationId) || isNearChosen(one);
    return chosen.has(one) || (!skipped.has(one) && isUsed);
  });
  const needed = withNamed(implementation.contract, near, all);
  return all.filter((one) => needed.has(one) && !skipped.has(one));
}

/** The operations that requirements call beside those of their own resource. */
function othersOf(selected: readonly Selected[]): ReadonlySet<string> {
  const tried = selected.filter(({ disabled }) => disabled === undefined);
  return new Set(tried.flatMap(({ requirement }) => requirement.others ?? []));
}

/** The operations, and those that make what their bodies name, such as the book of a loan. */
function withNamed(
  contract: Contract,
  operations: readonly Operation[],
  all: readonly Operation[],
): ReadonlySet<Operation> {
  const found = new Set(operations);
  // The set grows while it is read.
  for (const operation of found) {
    for (const named of operationsNamedBy(contract, operation, all)) {
      found.add(named);
    }
  }
  return found;
}

/** Whether the requirement is about the operation. */
export const isOf = ({ id }: Requirement, { operationId }: Operation): boolean =>
  id.startsWith(`${operationId}.`);

/** Whether one path begins as the other one does, up to the first parameter. */
function areNear(one: Operation, other: Operation): boolean {
  const [first = ''] = one.path.split('/{', 1);
  const [second = ''] = other.path.split('/{', 1);
  return first.startsWith(second) || second.startsWith(first);
}
