/**
 * The rule of a clause, as a sentence without its full stop: `description` has at most 255
 * characters.
 */
import { exactBound } from '../contract/exact-bounds.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import { type Clause, dependencyOf } from '../contract/clauses.ts';

type Schema = Record<string, unknown>;

/** @param root the subject of the clause if it has no path: `the body`, or a parameter */
export function ruleInWords(clause: Clause, root = 'the body'): string {
  const { keyword, name, path, schema, onNames } = clause;
  if (keyword === 'if') {
    return conditional(schema, name === 'else' ? 'else' : 'then', path);
  }
  const place = placeOf(path, root);
  if (keyword === 'required') {
    return `${place} has \`${name}\``;
  }
  if (keyword === 'dependentRequired') {
    const { trigger, missing } = dependencyOf(clause);
    return `${place} has \`${trigger}\` only together with \`${missing}\``;
  }
  const subject = onNames ? `each name in ${place}` : place;
  return `${subject} ${predicate(keyword, schema)}`;
}

function placeOf(path: readonly string[], root = 'the body'): string {
  return path.length === 0 ? root : `\`${path.join('.')}\``;
}

/** The predicate that a keyword states, in words. */
type Predicate = (value: unknown, schema: Schema) => string;

const ofForm: Predicate = (value, { 'x-pattern-description': words }) => {
  if (typeof words === 'string') {
    return `has the form: ${words.replace(/\.$/, '')}`;
  }
  return `matches ${String(value)}`;
};

const ofType: Predicate = (value) => {
  if (value === 'null') {
    return 'is null';
  }
  return `is of type ${[value].flat().join(' or ')}`;
};

/** More choices than these are counted. */
const MOST_CHOICES = 50;

const among: Predicate = (value) => {
  const choices = value as readonly unknown[];
  const named = choices.slice(0, MOST_CHOICES).map((one) => stringifyJson(one));
  const more = choices.length - named.length;
  const others = more > 0 ? ` and ${more} others` : '';
  return `is one of ${named.join(', ')}${others}`;
};

const unlike: Predicate = (value) => {
  const schema = stringifyJson(value);
  return schema === '{}' ? 'is not allowed' : `keeps \`not: ${schema}\``;
};

const withAtMostItems: Predicate = (value) => {
  return value === 0 ? 'is empty' : `has at most ${count(value, 'item')}`;
};

/** By keyword. */
const PREDICATES: Readonly<Record<string, Predicate>> = {
  type: ofType,
  const: (value) => `is ${stringifyJson(value)}`,
  enum: among,
  format: (value) => `has the format ${String(value)}`,
  pattern: ofForm,
  minLength: (value) => `has at least ${count(value, 'character')}`,
  maxLength: (value) => `has at most ${count(value, 'character')}`,
  'x-max-bytes': (value) => `has at most ${count(value, 'byte')} of UTF-8`,
  minimum: (value) => `is at least ${String(value)}`,
  maximum: (value) => `is at most ${String(value)}`,
  minItems: (value) => `has at least ${count(value, 'item')}`,
  maxItems: withAtMostItems,
  minProperties: (value) => `has at least ${count(value, 'property', 'properties')}`,
  maxProperties: (value) => `has at most ${count(value, 'property', 'properties')}`,
  uniqueItems: () => 'has no item twice',
  not: unlike,
  additionalProperties: () => 'has no unknown property',
};

function predicate(keyword: string, schema: Schema): string {
  const value = exactBound(schema, keyword) ?? schema[keyword];
  const words = PREDICATES[keyword]?.(value, schema);
  return words ?? `keeps \`${keyword}: ${stringifyJson(value)}\``;
}

/** `when A is set, then B is null`: all conditions and consequences of one `if`. */
function conditional(schema: Schema, branch: 'then' | 'else', path: readonly string[]): string {
  const word = branch === 'then' ? 'when' : 'unless';
  const condition = inOne(statements(schema['if'], path));
  const consequence = inOne(statements(schema[branch], path));
  return `${word} ${condition}, ${consequence}`;
}

const NULL = ' is null';

/** `a` is null, `b` is null -> `a` and `b` are null. */
function inOne(all: readonly string[]): string {
  const places = all.filter((one) => one.endsWith(NULL)).map((one) => one.slice(0, -NULL.length));
  const last = places.pop();
  if (last === undefined || places.length === 0) {
    return all.join(' and ');
  }
  const others = all.filter((one) => !one.endsWith(NULL));
  others.push(`${places.join(', ')} and ${last} are null`);
  return others.join(' and ');
}

/** The rules of a small schema, one statement each; places are named from the body on. */
function statements(schema: unknown, path: readonly string[]): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  const { properties, required, ...rest } = schema as {
    properties?: Record<string, unknown>;
    required?: readonly string[];
  };
  const inside = Object.entries(properties ?? {});
  const all: string[] = [];
  for (const keyword of Object.keys(rest)) {
    // The statements about its properties say already that an object is an object.
    const isImplied = keyword === 'type' && inside.length > 0;
    if (!keyword.startsWith('x-') && keyword !== 'description' && !isImplied) {
      all.push(statement(keyword, rest, path));
    }
  }
  for (const name of required ?? []) {
    if (!inside.some(([other]) => other === name)) {
      all.push(`${placeOf([...path, name])} is given`);
    }
  }
  for (const [name, value] of inside) {
    all.push(...statements(value, [...path, name]));
  }
  return all;
}

function statement(keyword: string, schema: Schema, path: readonly string[]): string {
  if (keyword === 'not') {
    return `not: ${statements(schema['not'], path).join(' and ')}`;
  }
  return `${placeOf(path)} ${predicate(keyword, schema)}`;
}

/** `1 item`, `2,000 items`. */
export function count(value: unknown, singular: string, plural = `${singular}s`): string {
  return `${inThousands(Number(value))} ${value === 1 ? singular : plural}`;
}

/**
 * Before each group of three digits that ends the whole part of a number, except at its beginning.
 */
const BETWEEN_THOUSANDS = /\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g;

/** `1,234,567`. `toLocaleString` would load the tables of all languages first. */
export function inThousands(value: number): string {
  return String(value).replaceAll(BETWEEN_THOUSANDS, ',');
}
