/** An operator makes mutants from the contract. It knows no requirement: any failure of the suite kills a mutant. */
import type { Operation } from '../../engine/contract/operations.ts';
import type { Level, Mutant } from '../mutant.ts';
import { both, type Mutate } from '../mutate/mutate.ts';
import type { OperationId } from '../mutate/operation.ts';
import type { Api, Resource } from './api.ts';

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
  more: Pick<Variant, 'needsToken'> = {},
): Operator {
  return {
    name,
    description,
    variants: (api) =>
      api.operations
        .filter((operation) => of(operation, api))
        .map((operation) => ({ ...variantOf(operation, mutate(operation, api)), ...more })),
  };
}

/** An operator with one mutant for each resource that `of` chooses, named after one of its operations. */
export function perResource(
  name: string,
  description: string,
  operation: 'create' | 'read' | 'update' | 'remove',
  mutate: (resource: Resource, api: Api) => Mutate,
  of: (resource: Resource, api: Api) => boolean = () => true,
): Operator {
  return {
    name,
    description,
    variants: (api) =>
      api.resources
        .filter((resource) => of(resource, api))
        .map((resource) => variantOf(resource[operation], mutate(resource, api))),
  };
}

function variantOf({ operationId, level }: Operation, mutate: Mutate): Variant {
  return { at: operationId, level, mutate };
}

/** Several changes at once, the first one nearest to the client. */
export function all(...mutates: Mutate[]): Mutate {
  return mutates.reduce((outer, inner) => both(outer, inner));
}
