/** Schemas in a few words, for tables and for the search. */
import { resolve } from '../../../clients/samples/json.ts';
import { referredName } from './examples.ts';
import { isObject, type Json } from './json.ts';

/** `string`, `array of Hostport`, `EndpointBackend or null`. */
export function typeInWords(schema: Json, nameOf = (name: string): string => name): string {
  const name = referredName(schema);
  if (name !== undefined) {
    return nameOf(name);
  }
  const { oneOf, type, title, items, additionalProperties: values } = schema;
  if (Array.isArray(oneOf)) {
    return oneOf.map((one) => typeInWords(one, nameOf)).join(' or ');
  }
  const types = typesOf(type).map((one) => {
    if (one === 'array' && isObject(items)) {
      return `array of ${typeInWords(items, nameOf)}`;
    }
    if (one !== 'object') {
      return one;
    }
    if (typeof title === 'string') {
      return nameOf(title);
    }
    return isObject(values) ? `map to ${typeInWords(values, nameOf)}` : one;
  });
  return types.join(' or ');
}

function typesOf(type: unknown): string[] {
  if (Array.isArray(type)) {
    return type as string[];
  }
  return typeof type === 'string' ? [type] : ['any value'];
}

/** Each with its words behind the value. */
const LIMITS: Record<string, (value: unknown) => string> = {
  minimum: (value) => `at least ${value}`,
  maximum: (value) => `at most ${value}`,
  minLength: (value) => `at least ${count(value, 'character')}`,
  maxLength: (value) => `at most ${count(value, 'character')}`,
  minItems: (value) => `at least ${count(value, 'item')}`,
  maxItems: (value) => `at most ${count(value, 'item')}`,
  maxProperties: (value) => `at most ${count(value, 'member')}`,
  uniqueItems: () => 'without repeats',
  enum: (value) => `one of ${(value as unknown[]).map(code).join(', ')}`,
  default: (value) => `default ${code(value)}`,
};

function count(value: unknown, noun: string): string {
  return value === 1 ? `1 ${noun}` : `${value} ${noun}s`;
}

function code(value: unknown): string {
  return `\`${JSON.stringify(value)}\``;
}

/** `at least 1, at most 128, default 10`; empty if there are none. */
export function limitsInWords(schema: Json): string {
  const limits = Object.entries(LIMITS).filter(([keyword]) => schema[keyword] !== undefined);
  return limits.map(([keyword, words]) => words(schema[keyword])).join(', ');
}

/** A property of an object, or of an object within it. */
export interface Field {
  /** `circuit_breaker.num_buckets`, from the object that was asked for. */
  path: string;
  isRequired: boolean;
  /** As it stands there, which may be a reference. */
  schema: Json;
  /** The description there, or that of the schema referred to. */
  description: string;
}

/** The properties of a schema. */
export function fieldsOf(document: Json, schema: Json, prefix = ''): Field[] {
  const { properties, required = [] } = resolve(document, schema);
  if (!isObject(properties)) {
    return [];
  }
  return Object.entries(properties as Record<string, Json>).map(([name, property]) => {
    const { description } = { ...resolve(document, property), ...property };
    return {
      path: prefix + name,
      isRequired: (required as string[]).includes(name),
      schema: property,
      description: typeof description === 'string' ? description : '',
    };
  });
}

/** The properties of a schema, and those of the objects within it. */
export function fieldsWithin(document: Json, schema: Json, prefix = ''): Field[] {
  return fieldsOf(document, schema, prefix).flatMap((field) => {
    const { items } = resolve(document, field.schema);
    const inner = isObject(items) ? items : field.schema;
    return [field, ...fieldsWithin(document, inner, `${field.path}.`)];
  });
}
