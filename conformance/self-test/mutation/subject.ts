/**
 * The parts of a contract that can be broken: its operations, the fields of requests and responses,
 * and its resources.
 */
import type { JsonType } from '../../engine/contract/json-types.ts';
import type { Contract } from '../../engine/contract/load.ts';
import { type Operation, operationsOf } from '../../engine/contract/operations.ts';
import { type Shape, shapeOf } from '../../engine/contract/shape.ts';

export interface Field {
  operation: Operation;
  /** The status of the response that has the field; undefined for a field of a request. */
  status?: string;
  /** The names that lead to the field. `*` stands for any item of a list or value of a map. */
  path: readonly string[];
  shape: Shape;
  required: boolean;
}

/** A resource that has a path below the path of its collection. */
export interface Resource {
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
  responseFields: readonly Field[];
  requestFields: readonly Field[];
  resources: readonly Resource[];
}

export function subjectOf(contract: Contract): Subject {
  const operations = operationsOf(contract).filter(({ unsupported }) => unsupported === undefined);
  return {
    contract,
    operations,
    responseFields: operations.flatMap((operation) => responseFieldsOf(contract, operation)),
    requestFields: operations.flatMap((operation) => requestFieldsOf(contract, operation)),
    resources: resourcesOf(operations),
  };
}

/** The message that has the fields of a schema. */
type Message = Pick<Field, 'operation' | 'status'>;

function requestFieldsOf(contract: Contract, operation: Operation): Field[] {
  if (operation.requestBody === null) {
    return [];
  }
  const shape = shapeOf(contract, operation.requestBody.pointer);
  return [...fieldsBelow({ operation }, shape, [])];
}

function responseFieldsOf(contract: Contract, operation: Operation): Field[] {
  const fields: Field[] = [];
  for (const { status, content } of Object.values(operation.responses)) {
    const [schema] = Object.values(content);
    if (schema !== undefined) {
      fields.push(...fieldsBelow({ operation, status }, shapeOf(contract, schema), []));
    }
  }
  return fields.filter(isAlwaysShown);
}

/** Deeper fields repeat those above them. */
const MAX_DEPTH = 5;

function* fieldsBelow(message: Message, shape: Shape, path: readonly string[]): Generator<Field> {
  for (const [name, child] of childrenOf(shape)) {
    const childPath = [...path, name];
    yield { ...message, path: childPath, shape: child, required: shape.required.has(name) };
    if (childPath.length < MAX_DEPTH) {
      yield* fieldsBelow(message, child, childPath);
    }
  }
}

function childrenOf(shape: Shape): [name: string, child: Shape][] {
  const children = [...shape.properties];
  const inner = shape.items ?? shape.additional;
  if (inner) {
    children.push(['*', inner]);
  }
  return children;
}

/**
 * A status whose responses have their optional members in a run: a success, or the refusal of an
 * invalid request.
 */
const WITH_OPTIONAL_MEMBERS = /^(2..|400|422)$/i;

function isAlwaysShown({ status = '', path, required }: Field): boolean {
  if (WITH_OPTIONAL_MEMBERS.test(status)) {
    return true;
  }
  return canBeCaused(status) && path.length === 1 && required;
}

/** A success or the client's error. 429 is excluded, since no test can make a service too busy. */
const CAUSED = /^(2|4(?!29))..$/;

/** Whether a request can cause a response with this documented status, such as `200` or `4XX`. */
export const canBeCaused = (status: string): boolean => CAUSED.test(status);

export const hasType = ({ shape }: Field, ...types: JsonType[]): boolean =>
  types.some((type) => shape.types.has(type));

/** Whether the field is a named property, and not any item of a list or value of a map. */
export const isProperty = ({ path }: Field): boolean => path.at(-1) !== '*';

export const isFreeText = (field: Field): boolean =>
  hasType(field, 'string') && field.shape.choices === undefined;

function resourcesOf(operations: readonly Operation[]): Resource[] {
  const resources: Resource[] = [];
  for (const operation of operations) {
    const resource = resourceReadBy(operation, operations);
    if (resource) {
      resources.push(resource);
    }
  }
  return resources;
}

/** The path of a collection, and the parameter that names an item of it. */
const ITEM_PATH = /^(.+)\/\{([^}]+)\}$/;

/** The resource that `read` reads, if it can also be created. */
function resourceReadBy(read: Operation, operations: readonly Operation[]): Resource | undefined {
  if (read.method !== 'GET') {
    return undefined;
  }
  const [, collection, parameter] = ITEM_PATH.exec(read.path) ?? [];
  if (collection === undefined || parameter === undefined) {
    return undefined;
  }
  const find = (path: string, method: string) =>
    operations.find((one) => one.path === path && one.method === method);
  const create = find(collection, 'POST');
  if (!create) {
    return undefined;
  }
  return {
    // The parameter may have a longer name than the property: `route_id` for `id`.
    key: /[_-]id$/.test(parameter) ? 'id' : parameter,
    create,
    read,
    update: find(read.path, 'PATCH') ?? find(read.path, 'PUT'),
    remove: find(read.path, 'DELETE'),
  };
}
