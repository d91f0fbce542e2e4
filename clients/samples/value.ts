/**
 * A value together with the type that the contract declares for it: what a program needs to write
 * it down.
 */
import { isObject, type Json, resolve } from './json.ts';

export type Value =
  | { kind: 'null' }
  | { kind: 'boolean'; value: boolean }
  | { kind: 'text'; value: string; format: string | undefined }
  | { kind: 'number'; value: number; integer: boolean; format: string | undefined }
  /** `name` is the one that generated clients give to the value. */
  | { kind: 'enum'; value: string; schema: string; name: string }
  | { kind: 'list'; items: Value[]; of: string; unique: boolean }
  | { kind: 'map'; entries: [name: string, value: string][]; schema: string | undefined }
  | { kind: 'object'; schema: string; members: Member[] };

export interface Member {
  name: string;
  value: Value;
  /**
   * The type of the property when it is not null: the name of a schema, or `text`, `boolean`,
   * `number`, `list`, `map`.
   */
  of: string;
  required: boolean;
  nullable: boolean;
}

interface Type {
  schema: Json;
  /** The name of the component, if it has one. */
  name: string | undefined;
  nullable: boolean;
}

/** @throws Error for a construct of JSON Schema that has no counterpart in a generated client */
export function typedValue(document: Json, schema: unknown, value: unknown): Value {
  const { schema: declared, name } = typeOf(document, schema);
  const format = declared['format'] as string | undefined;
  if (value === null) {
    return { kind: 'null' };
  }
  if (typeof value === 'boolean') {
    return { kind: 'boolean', value };
  }
  if (typeof value === 'number') {
    return { kind: 'number', value, integer: typeNames(declared).includes('integer'), format };
  }
  if (typeof value === 'string') {
    const values = declared['enum'] as string[] | undefined;
    if (values === undefined || name === undefined) {
      return { kind: 'text', value, format };
    }
    const names = (declared['x-enum-varnames'] as string[] | undefined) ?? values;
    return { kind: 'enum', value, schema: name, name: names[values.indexOf(value)] ?? value };
  }
  if (Array.isArray(value)) {
    const items = value.map((item) => typedValue(document, declared['items'], item));
    const of = nameOf(typeOf(document, declared['items']));
    return { kind: 'list', items, of, unique: declared['uniqueItems'] === true };
  }
  const properties = declared['properties'];
  if (!isObject(properties)) {
    return { kind: 'map', entries: Object.entries(value as Record<string, string>), schema: name };
  }
  if (name === undefined) {
    throw new Error('an object of a request has no name in the contract');
  }
  const members = Object.entries(value as Json).map(([key, one]) => {
    const type = typeOf(document, properties[key]);
    const required = ((declared['required'] ?? []) as string[]).includes(key);
    const typed = typedValue(document, properties[key], one);
    return { name: key, value: typed, of: nameOf(type), required, nullable: type.nullable };
  });
  return { kind: 'object', schema: name, members };
}

function typeOf(document: Json, schema: unknown): Type {
  const ref =
    isObject(schema) && typeof schema['$ref'] === 'string'
      ? schema['$ref'].split('/').at(-1)
      : undefined;
  const found = resolve(document, schema);
  const choices = found['oneOf'];
  if (Array.isArray(choices)) {
    const others = choices.filter((one) => !isObject(one) || one['type'] !== 'null');
    if (others.length !== 1) {
      throw new Error('a choice between several types has no sample');
    }
    return { ...typeOf(document, others[0]), nullable: others.length < choices.length };
  }
  return { schema: found, name: ref, nullable: typeNames(found).includes('null') };
}

function typeNames(schema: Json): string[] {
  return [schema['type']].flat().filter((type): type is string => typeof type === 'string');
}

function nameOf({ schema, name }: Type): string {
  if (name !== undefined && (isObject(schema['properties']) || Array.isArray(schema['enum']))) {
    return name;
  }
  const type = typeNames(schema).find((one) => one !== 'null');
  if (type === undefined) {
    throw new Error('a property of a request has no type in the contract');
  }
  return NAMES_OF_TYPES[type] ?? type;
}

/** Types of JSON Schema that have another name in `Member.of`. */
const NAMES_OF_TYPES: Record<string, string> = {
  string: 'text',
  integer: 'number',
  array: 'list',
  object: 'map',
};

export type Write = (value: Value) => string;

type Writers = { [Kind in Value['kind']]: (value: Extract<Value, { kind: Kind }>) => string };

/** @param writers how a language writes each kind of value */
export function writeBy(writers: Writers): Write {
  return (value) => (writers[value.kind] as Write)(value);
}

/** Every value inside, itself too; none of undefined. */
export function* valuesIn(value: Value | undefined): Generator<Value> {
  if (value === undefined) {
    return;
  }
  yield value;
  if (value.kind === 'list') {
    for (const item of value.items) {
      yield* valuesIn(item);
    }
  }
  if (value.kind === 'object') {
    for (const member of value.members) {
      yield* valuesIn(member.value);
    }
  }
}

/** The names of all schemas that a program needs to import, sorted. */
export function schemasIn(value: Value | undefined): string[] {
  const names = new Set<string>();
  for (const inner of valuesIn(value)) {
    if ('schema' in inner && inner.schema !== undefined) {
      names.add(inner.schema);
    }
  }
  return [...names].toSorted();
}
