/** A contract as operators see it: which operation a request calls, the fields of bodies, the resources. */
import type { Contract } from '../../engine/contract/load.ts';
import { type Level, type Operation, operationsOf } from '../../engine/contract/operations.ts';
import { type JsonType, type Shape, shapeOf } from '../../engine/contract/shape.ts';
import type { ServiceRequest } from '../service.ts';
import { pathOf } from './messages.ts';

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
