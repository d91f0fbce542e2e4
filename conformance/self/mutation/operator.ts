/**
 * An operator makes mutants: services that stand between the wire and a correct one. It takes what it breaks from the
 * contract and knows no requirement: any failure of the suite kills a mutant.
 */
import type { Level, Operation } from '../../engine/contract/operations.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { succeeded } from './messages.ts';
import { calls, type Field, Memory, type Resource, type Subject } from './subject.ts';

export const NEEDS_TOKEN = ['401', '403'];

/** Called once for each service: what a mutant remembers belongs to that service. */
export type Mutate = (service: Service) => Service;

export interface Variant {
  /** What is broken, such as `getEdge/200/hostports`. */
  at: string;
  level: Level;
  /** It shows only on a service that asks for a token. */
  needsToken?: boolean;
  mutate: Mutate;
}

export type Operator = (subject: Subject) => Variant[];

/** By names that say what they do to a service. */
export type Operators = Record<string, Operator>;

export type Handle = (next: Service, request: ServiceRequest) => Promise<ServiceResponse>;
type Change = (response: ServiceResponse, request: ServiceRequest) => ServiceResponse;

/** Handles the calls of an operation; everything else goes on as it is. */
export function instead(operation: Operation, handle: Handle): Mutate {
  return (next) => async (request) => (calls(operation, request) ? handle(next, request) : next(request));
}

export function onSuccess(operation: Operation, change: Change): Mutate {
  return instead(operation, async (next, request) => {
    const response = await next(request);
    return succeeded(response) ? change(response, request) : response;
  });
}

/** Several changes at once, the first one nearest to the client. */
export function all(...mutates: Mutate[]): Mutate {
  return (service) => mutates.reduceRight((inner, mutate) => mutate(inner), service);
}

type Choice = (operation: Operation) => boolean;

/** One mutant for each operation that `of` chooses. `mutate` is called anew for each service. */
export function perOperation(of: Choice, mutate: (operation: Operation) => Mutate, needsToken = false): Operator {
  return ({ operations }) =>
    operations.filter(of).map((operation) => ({
      ...{ at: operation.operationId, level: operation.level, needsToken },
      mutate: (service) => mutate(operation)(service),
    }));
}

export type Fits = (field: Field, subject: Subject) => boolean;

/** One mutant for each field of responses or requests that `fits` chooses. */
export function perField(side: 'shown' | 'taken', fits: Fits, mutate: (field: Field) => Mutate): Operator {
  return (subject) =>
    subject[side]
      .filter((field) => fits(field, subject))
      .map((field) => ({
        at: [field.operation.operationId, field.status ?? [], ...field.path].flat().join('/'),
        level: field.level,
        needsToken: field.status !== undefined && NEEDS_TOKEN.includes(field.status),
        mutate: (service) => mutate(field)(service),
      }));
}

export type Role = 'create' | 'read' | 'update' | 'remove' | 'list';

/** One mutant for each resource that has the operation, named after it; none where `mutate` gives none. */
export function perResource(role: Role, mutate: (one: Resource, operation: Operation) => Mutate | undefined): Operator {
  return ({ resources }) =>
    resources.flatMap((resource) => {
      const operation = resource[role];
      if (operation === undefined || mutate(resource, operation) === undefined) return [];
      const { operationId: at, level } = operation;
      return [{ at, level, mutate: (service: Service) => mutate(resource, operation)!(service) }];
    });
}

/** Only for resources that have a parent. */
export const nested =
  (operator: Operator): Operator =>
  (subject) =>
    operator({ ...subject, resources: subject.resources.filter(({ collection }) => collection.includes('{')) });

/** As `perResource`, with a memory of what the service made. */
export function effect(role: Role, handle: (memory: Memory, resource: Resource) => Handle): Operator {
  return perResource(role, (resource, operation) => {
    const memory = new Memory();
    return all(instead(operation, handle(memory, resource)), memory.watching(resource));
  });
}
