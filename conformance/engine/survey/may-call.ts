/** Calls that can harm nothing but what the run made, or that the user allows. */
import { memberOf } from '../contract/by-name.ts';
import type { Contract } from '../contract/load.ts';
import { type Operation, pathParameters } from '../contract/operations.ts';
import { shapeOf } from '../contract/shape.ts';
import type { Source } from '../http/recipe.ts';
import { harmIn, isHarmful, isSafe } from './left-out.ts';
import { isCreationBelow, type PathCandidate } from './path-candidates.ts';
import { hasFewValues } from './values.ts';

export interface Permission {
  contract: Contract;
  /** In the first round, the run may still make what it names. */
  isFirstRound: boolean;
  /** Whether the user allows the operation, whatever it changes. */
  isAllowed: boolean;
  /** Whether two calls of a source make two things. */
  makesAnew(source: Source): Promise<boolean>;
}

/** Whether an operation may be called at a path. */
export async function mayCall(
  operation: Operation,
  path: PathCandidate,
  { contract, isFirstRound, isAllowed, makesAnew }: Permission,
): Promise<boolean> {
  const { isOwn, sources, fresh } = path;
  if (isFirstRound && operation.method === 'POST' && fresh.length > 0) {
    // Nothing has this name: what the run makes, or others have, is tried before it.
    return false;
  }
  const isCollection = pathParameters(operation).length === 0;
  if (isSafe(operation) || isCollection || isAllowed) {
    return true;
  }
  if (isOwn === true || isCreationInRoot(operation, path)) {
    return true;
  }
  if (isFirstRound) {
    // What others have is no parent as long as the run may still make one.
    return false;
  }
  const source = sources.at(-1);
  if (isOwn === 'perhaps' && source && !isCreationBelow(contract, operation)) {
    return makesAnew(source);
  }
  return isCreationBelow(contract, operation) || namesNoItem(contract, operation);
}

/**
 * Whether the last value in the path of a POST says what it does, and names no item: the contract
 * lists the values.
 */
function namesNoItem(contract: Contract, operation: Operation): boolean {
  const last = pathParameters(operation).at(-1);
  if (last === undefined || operation.method !== 'POST') {
    return false;
  }
  const choices = shapeOf(contract, last.schema).choices ?? [];
  const isListed = choices.length > 0 && !choices.some((one) => isHarmful(String(one)));
  const isChoice = isListed || (!operation.path.endsWith('}') && hasFewValues(contract, last));
  return isChoice && harmIn(contract, operation) === undefined;
}

/** Whether a POST names the root of a tree by an empty value: what it makes is in the root. */
function isCreationInRoot(operation: Operation, { given }: PathCandidate): boolean {
  const last = pathParameters(operation).at(-1);
  return operation.method === 'POST' && last !== undefined && memberOf(given, last.name) === '';
}
