/** Values of a query parameter that names an item. */
import type { Operation, Parameter } from '../contract/operations.ts';
import { isSafe } from './left-out.ts';
import { collectionBeside } from './naming-parameter.ts';
import {
  listed,
  madeByPost,
  type ParameterCandidate,
  type Surroundings,
} from './path-candidates.ts';

/** Those of items that the run makes; for a read, those of a list, too. */
export async function* namingCandidates(
  operation: Operation,
  parameter: Parameter,
  surroundings: Surroundings,
): AsyncGenerator<ParameterCandidate> {
  const collection = collectionBeside(surroundings.contract, operation) ?? operation.path;
  const asPath: Operation = { ...operation, path: `${collection}/{${parameter.name}}` };
  yield* madeByPost(asPath, parameter, surroundings);
  if (isSafe(operation)) {
    yield* listed(asPath, parameter, surroundings);
  }
}
