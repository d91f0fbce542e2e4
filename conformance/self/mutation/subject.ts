/** A contract as operators see it: which operation a request calls, the fields of bodies, the resources. */
import type { Contract } from '../../engine/contract/load.ts';
import { type Level, type Operation, operationsOf, type Response } from '../../engine/contract/operations.ts';
import { type JsonType, type Shape, shapeOf } from '../../engine/contract/shape.ts';
import type { Service, ServiceRequest, ServiceResponse } from '../service.ts';
import { isObject, type Json, jsonOf, succeeded } from './messages.ts';

export interface Field {
  operation: Operation;
  /** Of the response that has it; undefined for a field of a request. */
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
  list: Operation | undefined;
}

export interface Subject {
  contract: Contract;
  operations: readonly Operation[];
  /** Of successes and of errors. */
  shown: readonly Field[];
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
    const children: [string, Shape][] = [...shape.properties, ...(inner ? [['*', inner] as [string, Shape]] : [])];
    for (const [name, child] of children) {
      const at = [...path, name];
      const level = name === '*' ? child.passed.map((one) => embedded.get(one)).find(Boolean) : undefined;
      const own = { ...base, level: level === 'extended' ? level : base.level };
      yield { ...own, path: at, shape: child, required: shape.required.has(name) };
      // Inside of a resource that another one shows, its outermost fields are enough.
      if (at.length < DEEPEST && !(path.at(-1) === '*' && embedded.has(shape.passed.at(-1))))
        yield* walk(own, child, at);
    }
  }
  // A refusal has its optional members where the request is invalid.
  const isCertain = ({ status, path, required }: Field) =>
    /^(2..|400|422)$/i.test(status!) || (status!.startsWith('4') && path.length === 1 && required);
  return {
    contract,
    operations,
    resources,
    shown: operations.flatMap((operation) =>
      Object.values(operation.responses).flatMap(({ status, content }) => {
        const [schema] = Object.values(content);
        const base = { operation, status, level: operation.level };
        return schema === undefined ? [] : [...walk(base, shapeOf(contract, schema), [])].filter(isCertain);
      }),
    ),
    taken: operations.flatMap((operation) =>
      operation.requestBody
        ? [...walk({ operation, level: operation.level }, shapeOf(contract, operation.requestBody.pointer), [])]
        : [],
    ),
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
    return [{ collection: collection!, key: property, create, read, update, remove, list: at(collection!, 'GET') }];
  });
}

export function successOf({ responses }: Operation): Response | undefined {
  return Object.values(responses).find(({ status }) => status.startsWith('2'));
}

/** JSON Pointer of the schema that a success shows. */
export function schemaShown(operation: Operation): string | undefined {
  return Object.values(successOf(operation)?.content ?? {})[0];
}

export function has({ shape }: Field, ...types: JsonType[]): boolean {
  return types.some((type) => shape.types.has(type));
}

export const isProperty = ({ path }: Field): boolean => path.at(-1) !== '*';

/** Whether the request is for a path of this template. */
export function isAt(template: string, { target }: ServiceRequest): boolean {
  return pattern(template).test(target.split('?', 1)[0]!);
}

/** Whether the request calls the operation. */
export function calls({ path, method }: Operation, request: ServiceRequest): boolean {
  return request.method === method && isAt(path, request);
}

const patterns = new Map<string, RegExp>();

function pattern(template: string): RegExp {
  // A version may stand before the paths of a contract.
  const known = patterns.get(template) ?? new RegExp(`^(?:/v\\d+)?${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
  patterns.set(template, known);
  return known;
}

export const pathOf = ({ target }: ServiceRequest): string => target.split('?', 1)[0]!;
export const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

export interface Known {
  path: string;
  collection: string;
  /** What it was created with and changed to, as requests stated it. */
  sent: Json;
}

/** What a service made, as far as it was asked through this. */
export class Memory {
  /** By path, in the order of creation. */
  readonly known = new Map<string, Known>();

  watching(resource: Resource): (service: Service) => Service {
    return (service) => async (request) => {
      const response = await service(request);
      if (succeeded(response)) this.#note(resource, request, response);
      return response;
    };
  }

  #note({ create, update, remove, key }: Resource, request: ServiceRequest, response: ServiceResponse): void {
    const json = jsonOf(request);
    const sent: Json = isObject(json) ? json : {};
    const path = pathOf(request);
    if (calls(create, request)) {
      const own = `${path}/${encodeURIComponent(String(jsonOf(response)?.[key]))}`;
      this.known.set(own, { path: own, collection: path, sent });
    } else if (remove && calls(remove, request)) this.known.delete(path);
    const known = this.known.get(path);
    if (known && update && calls(update, request)) known.sent = { ...known.sent, ...sent };
  }

  /** The newest other resource of the same collection, or of another one. */
  other(path: string, isSibling: boolean): Known | undefined {
    const all = [...this.known.values()];
    return all.findLast((one) => one.path !== path && (one.collection === parentOf(path)) === isSibling);
  }
}
