/**
 * An operator makes mutants: services that stand between the wire and a correct one. It takes what it breaks from the
 * contract (operations, fields of bodies, resources) and knows no requirement: any failure of the suite kills a mutant.
 */
import type { Contract } from '../../engine/contract/load.ts';
import { type Level, type Operation, operationsOf } from '../../engine/contract/operations.ts';
import { type JsonType, type Shape, shapeOf } from '../../engine/contract/shape.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { isObject, type Json, jsonOf, pathOf, succeeded } from './messages.ts';

export interface Field {
  operation: Operation;
  /** The status of the response that has it; undefined for a field of a request. */
  status?: string;
  /** `*` stands for any item of a list or value of a map. */
  path: readonly string[];
  shape: Shape;
  level: Level;
  required: boolean;
}

/** A resource with an address of its own below a collection. */
export interface Resource {
  collection: string;
  /** The property that names it in its collection. */
  key: string;
  create: Operation;
  read: Operation;
  update: Operation | undefined;
  remove: Operation | undefined;
}

export interface Subject {
  contract: Contract;
  operations: readonly Operation[];
  /** Fields of responses. */
  shown: readonly Field[];
  /** Fields of requests. */
  taken: readonly Field[];
  resources: readonly Resource[];
}

/** Deeper fields repeat what outer ones have. */
const DEEPEST = 5;

export function subjectOf(contract: Contract): Subject {
  const operations = operationsOf(contract).filter(({ unsupported }) => unsupported === undefined);
  const resources = resourcesOf(operations);
  const embedded = new Map(resources.map(({ read }) => [schemaShown(read), read.level]));
  function* walk(base: Omit<Field, 'path' | 'shape' | 'required'>, shape: Shape, path: string[]): Generator<Field> {
    const inner = shape.items ?? shape.additional;
    for (const [name, child] of [...shape.properties, ...(inner ? [['*', inner] as const] : [])]) {
      const at = [...path, name];
      const level = name === '*' ? child.passed.map((one) => embedded.get(one)).find(Boolean) : undefined;
      const own = { ...base, level: level === 'extended' ? level : base.level };
      yield { ...own, path: at, shape: child, required: shape.required.has(name) };
      // Inside of a resource that another one shows, its outermost fields are enough.
      if (at.length < DEEPEST && !(path.at(-1) === '*' && embedded.has(shape.passed.at(-1))))
        yield* walk(own, child, at);
    }
  }
  const fieldsAt = (schema: string | undefined, base: Pick<Field, 'operation' | 'status'>) =>
    schema === undefined ? [] : [...walk({ ...base, level: base.operation.level }, shapeOf(contract, schema), [])];
  // A refusal has its optional members where the request is invalid.
  const isCertain = ({ status, path, required }: Field) =>
    /^(2..|400|422)$/i.test(status!) || (status!.startsWith('4') && path.length === 1 && required);
  return {
    contract,
    operations,
    resources,
    shown: operations.flatMap((operation) =>
      Object.values(operation.responses).flatMap(({ status, content }) =>
        fieldsAt(Object.values(content)[0], { operation, status }).filter(isCertain),
      ),
    ),
    taken: operations.flatMap((operation) => fieldsAt(operation.requestBody?.pointer, { operation })),
  };
}

function resourcesOf(operations: readonly Operation[]): Resource[] {
  const at = (path: string, method: string) => operations.find((one) => one.path === path && one.method === method);
  return operations.flatMap((read) => {
    const [, collection, key] = /^(.+)\/\{([^}]+)\}$/.exec(read.method === 'GET' ? read.path : '') ?? [];
    const create = collection === undefined ? undefined : at(collection, 'POST');
    if (!create) return [];
    const update = at(read.path, 'PATCH') ?? at(read.path, 'PUT');
    const remove = at(read.path, 'DELETE');
    // The parameter may have a longer name than the property: `route_id` for `id`.
    const property = /[_-]id$/.test(key!) ? 'id' : key!;
    return [{ collection: collection!, key: property, create, read, update, remove }];
  });
}

/** JSON Pointer of the schema that a success shows. */
function schemaShown({ responses }: Operation): string | undefined {
  const success = Object.values(responses).find(({ status }) => status.startsWith('2'));
  return Object.values(success?.content ?? {})[0];
}

export const has = ({ shape }: Field, ...types: JsonType[]): boolean => types.some((type) => shape.types.has(type));
export const isProperty = ({ path }: Field): boolean => path.at(-1) !== '*';
export const isFreeText = (field: Field): boolean => has(field, 'string') && !field.shape.choices;

/** Whether the request is for a path of this template. A version may stand before the paths of a contract. */
export function isAt(template: string, request: ServiceRequest): boolean {
  return new RegExp(`^(?:/v\\d+)?${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathOf(request));
}

export function calls(operation: Operation | undefined, request: ServiceRequest): boolean {
  return operation !== undefined && request.method === operation.method && isAt(operation.path, request);
}

export interface Variant {
  /** What is broken, such as `getEdge/200/hostports`. */
  at: string;
  level: Level;
  /** It shows only on a service that asks for a token. */
  needsToken?: boolean;
  mutate: (service: Service) => Service;
}

export type Operator = (subject: Subject) => Variant[];

/** By a name that says what it does to a service. */
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
