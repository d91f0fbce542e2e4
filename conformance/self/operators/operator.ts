/** An operator makes mutants from the contract. It knows no requirement: any failure of the suite kills a mutant. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { Level, Mutant } from '../mutant.ts';
import { both, type Mutate } from '../mutate/mutate.ts';
import type { OperationId } from '../mutate/operation.ts';
import type { Api } from './api.ts';

/** One mutant, as an operator gives it. */
export interface Variant {
  /** What is changed, such as `getEdge/hostports`. */
  at: string;
  level: Level;
  needsToken?: true;
  mutate: Mutate;
}

export interface Operator {
  /** Such as `drop-field`. */
  name: string;
  /** What it does to a service, in one sentence. */
  description: string;
  variants(api: Api): Variant[];
}

export function mutantsOfOperator(operator: Operator, api: Api): Mutant[] {
  return operator.variants(api).map(({ at, level, needsToken, mutate }) => ({
    id: `${operator.name}/${at}`,
    group: operator.name,
    description: `${operator.description.replace(/\.$/, '')}: ${at.replaceAll('/', ' ')}.`,
    level,
    ...(needsToken ? { needsToken } : {}),
    mutate,
  }));
}

export function idOf({ operationId }: Operation): OperationId {
  return operationId as OperationId;
}

/** An operator with one mutant for each operation that `of` chooses. */
export function perOperation(
  name: string,
  description: string,
  of: (operation: Operation, api: Api) => boolean,
  mutate: (operation: Operation, api: Api) => Mutate,
): Operator {
  return {
    name,
    description,
    variants: (api) =>
      api.operations
        .filter((operation) => of(operation, api))
        .map((operation) => ({ at: operation.operationId, level: operation.level, mutate: mutate(operation, api) })),
  };
}

/** Several changes at once, the first one nearest to the client. */
export function all(...mutates: Mutate[]): Mutate {
  return mutates.reduce((outer, inner) => both(outer, inner));
}
