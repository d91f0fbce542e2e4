/**
 * An operator makes mutants: services that stand between the wire and a correct one. It takes what it breaks from the
 * contract and knows no requirement: any failure of the suite kills a mutant.
 */
import type { Level, Operation } from '../../engine/contract/operations.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { isObject, type Json, jsonOf, pathOf, succeeded } from './messages.ts';
import { calls, type Field, type Resource, type Subject } from './subject.ts';

export interface Variant {
  /** What is broken, such as `getEdge/200/hostports`. */
  at: string;
  level: Level;
  /** It shows only on a service that asks for a token. */
  needsToken?: boolean;
  mutate: (service: Service) => Service;
}

export type Operator = (subject: Subject) => Variant[];

/** By names that say what they do to a service. */
export type Operators = Record<string, Operator>;

/** One operator for each row of a table. */
export function fromEach<T>(rows: Record<string, T>, operator: (row: T) => Operator): Operators {
  return Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, operator(row)]));
}

export type Handle = (next: Service, request: ServiceRequest) => Promise<ServiceResponse>;

/**
 * Handles the calls of an operation, and of another one. `make` is called once for each service: what it remembers
 * belongs to that service.
 */
export function breaking(operation: Operation, at: string, make: () => Handle, other?: Operation): Variant {
  const mutate = (next: Service): Service => {
    const handle = make();
    const isHandled = (request: ServiceRequest) => calls(operation, request) || calls(other, request);
    return async (request) => (isHandled(request) ? handle(next, request) : next(request));
  };
  return { at, level: operation.level, mutate };
}

/** Another response is shown. */
export function showing(change: (response: ServiceResponse, request: ServiceRequest) => ServiceResponse): Handle {
  return async (next, request) => change(await next(request), request);
}

/** The last success is shown again, in place of each response for which `isReplaced` holds. */
export function repeating(isReplaced: (response: ServiceResponse, request: ServiceRequest) => boolean): Handle {
  let last: ServiceResponse | undefined;
  return showing((response, request) => {
    if (succeeded(response)) last = response;
    return last && isReplaced(response, request) ? last : response;
  });
}

export type Choice = (operation: Operation) => boolean;
export const everywhere: Choice = () => true;
export const isWrite = ({ method }: { method: string }): boolean => method !== 'GET';

/** One mutant for each operation that `of` chooses. */
export function perOperation(of: Choice, make: (operation: Operation) => Handle, needsToken = false): Operator {
  return ({ operations }) =>
    operations.filter(of).map((operation) => ({
      ...breaking(operation, operation.operationId, () => make(operation)),
      needsToken,
    }));
}

export const needsToken = (status: string | undefined): boolean => status === '401' || status === '403';

export type Fits = (field: Field, subject: Subject) => boolean;

/** One mutant for each field of responses or requests that `fits` chooses. */
export function perField(side: 'shown' | 'taken', fits: Fits, make: (field: Field) => Handle): Operator {
  return (subject) =>
    subject[side]
      .filter((field) => fits(field, subject))
      .map((field) => {
        const at = [field.operation.operationId, field.status ?? [], ...field.path].flat().join('/');
        const variant = breaking(field.operation, at, () => make(field));
        return { ...variant, level: field.level, needsToken: needsToken(field.status) };
      });
}

/** What a service made, by path and in the order of creation: what requests stated of each. */
export type Known = Map<string, Json>;

export type Role = 'create' | 'read' | 'update' | 'remove';

type MakeForResource = (known: Known, resource: Resource) => Handle;

/** One mutant for each resource that has the operation of `role`, named after it. Calls of `other` are handled, too. */
export function perResource(role: Role, make: MakeForResource, other: Role = role): Operator {
  return ({ resources }) =>
    resources.flatMap((resource) => {
      const operation = resource[role];
      if (operation === undefined) return [];
      const mutate = (service: Service) => {
        const known: Known = new Map();
        const broken = breaking(operation, operation.operationId, () => make(known, resource), resource[other]);
        return broken.mutate(remembering(known, resource, service));
      };
      return [{ at: operation.operationId, level: operation.level, mutate }];
    });
}

/** Only for resources that have a parent. */
export const nested =
  (operator: Operator): Operator =>
  (subject) =>
    operator({ ...subject, resources: subject.resources.filter(({ collection }) => collection.includes('{')) });

function remembering(known: Known, resource: Resource, service: Service): Service {
  return async (request) => {
    const response = await service(request);
    if (!succeeded(response)) return response;
    const path = pathOf(request);
    const json = jsonOf(request);
    const sent: Json = isObject(json) ? json : {};
    if (calls(resource.create, request)) known.set(createdAt(request, response, resource), sent);
    else if (calls(resource.remove, request)) known.delete(path);
    else if (known.has(path) && calls(resource.update, request)) known.set(path, { ...known.get(path), ...sent });
    return response;
  };
}

/** The path of a resource that was created. */
export function createdAt(request: ServiceRequest, response: ServiceResponse, { key }: Resource): string {
  return `${pathOf(request)}/${encodeURIComponent(String(jsonOf(response)?.[key]))}`;
}
