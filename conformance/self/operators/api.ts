/** The contract as operators see it: operations with the fields of their bodies, and resources. */
import { createHash } from 'node:crypto';
import type { Contract } from '../../engine/contract/load.ts';
import { type Operation, operationsOf } from '../../engine/contract/operations.ts';
import { schemasOf } from '../../engine/contract/schemas.ts';
import { type JsonType, type Shape, shapeAt, shapeOf } from '../../engine/contract/shape.ts';
import type { Call } from '../mutate/operation.ts';
import type { Level } from '../mutant.ts';

export interface Api {
  contract: Contract;
  operations: Operation[];
  resources: Resource[];
  /** Each operation with each field of its success. */
  shown: [Operation, Field][];
  /** Each operation with each field of its request body. */
  taken: [Operation, Field][];
}

export interface Field {
  /** Property names; `*` stands for any item of a list or value of a map. */
  path: string[];
  name: string;
  shape: Shape;
  /** That of the operation, or of the embedded resource that has the field. */
  level: Level;
  /** Inside of a resource that is shown by another one. */
  isEmbedded: boolean;
}

/** What has an address of its own below a collection. */
export interface Resource {
  name: string;
  /** Path templates. */
  collection: string;
  item: string;
  /** The path parameter, and property of the resource, that tells one from its siblings. */
  key: string;
  level: Level;
  create: Operation;
  read: Operation;
  update: Operation;
  remove: Operation;
  list: Operation | undefined;
  /** The resource whose item the collection is below. */
  parent: Resource | undefined;
}

export function apiOf(contract: Contract): Api {
  const operations = operationsOf(contract);
  const resources = resourcesOf(operations);
  const pairs = (fieldsOf: (operation: Operation) => Field[]) =>
    operations.flatMap((operation) => fieldsOf(operation).map((field): [Operation, Field] => [operation, field]));
  return {
    contract,
    operations,
    resources,
    shown: pairs((operation) => fieldsShown(contract, resources, operation)),
    taken: pairs(({ requestBody, level }) =>
      requestBody ? [...walk(resources, shapeOf(contract, requestBody.pointer), level)] : [],
    ),
  };
}

function resourcesOf(operations: Operation[]): Resource[] {
  const at = (path: string, method: string) => operations.find((one) => one.path === path && one.method === method);
  const found: Resource[] = [];
  for (const read of operations.filter(({ method, path }) => method === 'GET' && path.endsWith('}'))) {
    const collection = read.path.slice(0, read.path.lastIndexOf('/'));
    const create = at(collection, 'POST');
    const update = at(read.path, 'PATCH');
    const remove = at(read.path, 'DELETE');
    if (!create || !update || !remove) continue;
    const { level } = [create, read, update, remove].some((one) => one.level === 'core') ? create : read;
    found.push({
      name: read.operationId.replace(/^get/, ''),
      collection,
      item: read.path,
      key: read.path.slice(collection.length + 2, -1),
      level,
      create,
      read,
      update,
      remove,
      list: at(collection, 'GET'),
      parent: undefined,
    });
  }
  for (const one of found)
    one.parent = found.find(({ item }) => generic(one.collection).startsWith(`${generic(item)}/`));
  return found;
}

/** Parameters have other names in longer paths. */
function generic(path: string): string {
  return path.replaceAll(/\{[^}]+\}/g, '{}');
}

export function successOf({ responses }: Operation) {
  return Object.values(responses).find(({ status }) => status.startsWith('2'))!;
}

/** JSON Pointer of what a success shows; undefined where it has no body. */
export function shownBy(operation: Operation): string | undefined {
  return successOf(operation).content['application/json'];
}

function fieldsShown(contract: Contract, resources: Resource[], operation: Operation): Field[] {
  const pointer = shownBy(operation);
  if (pointer === undefined) return [];
  const fields = [...walk(resources, shapeOf(contract, pointer), operation.level)];
  // What was just created has nothing in it that is created by another operation.
  return operation.method === 'POST' ? fields.filter(({ isEmbedded }) => !isEmbedded) : fields;
}

function* walk(
  resources: Resource[],
  shape: Shape,
  level: Level,
  path: string[] = [],
  isEmbedded = false,
): Generator<Field> {
  for (const [segment, child] of childrenOf(shape)) {
    const at = [...path, segment];
    const shown = resources.find(({ read }) => segment === '*' && child.passed.includes(shownBy(read)!));
    const inner = shown?.level === 'extended' ? 'extended' : level;
    yield { path: at, name: at.join('.'), shape: child, level: inner, isEmbedded: isEmbedded || shown !== undefined };
    // What a resource shows inside of another one, it shows by itself, too: there its outermost fields are enough.
    if (!isEmbedded || path.at(-1) !== '*') yield* walk(resources, child, inner, at, isEmbedded || shown !== undefined);
  }
}

function childrenOf(shape: Shape): [string, Shape][] {
  const inside = shape.items ?? shape.additional;
  return [...shape.properties, ...(inside ? [['*', inside] as [string, Shape]] : [])];
}

export function has(field: Field, ...types: JsonType[]): boolean {
  return types.some((type) => field.shape.types.has(type));
}

/** Whether every schema of the field allows the value. */
export function allows({ contract }: Api, { shape }: Field, value: unknown): boolean {
  return shape.parts.every(
    ({ pointer, nullable }) => (nullable && value === null) || schemasOf(contract).isValid(pointer, value),
  );
}

/** What an omitted property stands for; undefined where the contract does not say. */
export function defaultOf({ shape }: Field): unknown {
  return shape.parts.map(({ schema }) => schema['default']).find((value) => value !== undefined);
}

export function isRequired(api: Api, pointer: string, { path }: Field): boolean {
  return shapeAt(shapeOf(api.contract, pointer), path.slice(0, -1))?.required.has(path.at(-1)!) ?? false;
}

/** A path template with the parameters of a call in it. */
export function addressOf(template: string, { path }: Call): string {
  return template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => encodeURIComponent(path[name] ?? ''));
}

/** The resource that an operation is of. */
export function resourceOf({ resources }: Api, { path }: Operation): Resource | undefined {
  return resources.find(({ collection, item }) => path === collection || path === item);
}

/**
 * Of things that stand for the same rule of the contract in several places, one, and another one for each operator: the
 * inner fields of modules are many, and the same for several operations.
 */
export function oneOfEach<T extends object>(
  things: readonly T[],
  ruleOf: (thing: T) => string | undefined,
  operator: string,
): T[] {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const rule = ruleOf(thing);
    if (rule !== undefined) groups.set(rule, [...(groups.get(rule) ?? []), thing]);
  }
  const chosen = new Set([...groups].map(([rule, some]) => some[number(`${operator} ${rule}`) % some.length]!));
  return things.filter((thing) => ruleOf(thing) === undefined || chosen.has(thing));
}

/** The same for the same text. */
function number(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32LE(0);
}

/** The outermost fields of each operation, and of the inner ones one for each rule. */
export function oneOfEachField(pairs: readonly [Operation, Field][], operator: string): [Operation, Field][] {
  const isInner = ({ path }: Field) => path.filter((name) => name !== '*').length > 1;
  return oneOfEach(pairs, ([, field]) => (isInner(field) ? field.shape.roots.join(' ') : undefined), operator);
}
