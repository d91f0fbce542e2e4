/**
 * One view of a schema for clauses, valid values and violations, with `$ref`, `allOf` and
 * alternatives to null merged.
 */
import { ALL_TYPES, type JsonType, typeOf } from './json-types.ts';
import { isTextFormat } from './keywords.ts';
import { type Contract, perPointers } from './load.ts';
import { isObject, joinPointer } from './pointers.ts';
import {
  allowsType,
  alternativesOf,
  choicesOf,
  collectParts,
  type Conditional,
  conditionalsOf,
  listsProperty,
  namesIn,
  type Part,
  rulesOfItem,
  rulesOfProperty,
} from './schema-parts.ts';

export interface Shape {
  /** The pointers that this shape was made from. */
  roots: readonly string[];
  /**
   * Every pointer passed on the way to the parts, outermost first; a component that is referred to
   * is among them.
   */
  passed: readonly string[];
  parts: readonly Part[];
  /** The types that every part allows. */
  types: ReadonlySet<JsonType>;
  /**
   * Values of `enum` and `const` that every part allows, without the null of a nullable part;
   * undefined: no rule.
   */
  choices: readonly unknown[] | undefined;
  properties: ReadonlyMap<string, Shape>;
  /** Rules of the values of properties whose names match a pattern. */
  patterns: ReadonlyMap<string, Shape>;
  required: ReadonlySet<string>;
  /** False for names that some part refuses, since it has `additionalProperties: false`. */
  allows: (name: string) => boolean;
  /** Rules of the value of a property of this name, listed or not; undefined: no rule. */
  property: (name: string) => Shape | undefined;
  /** Rules of the values of unnamed properties; undefined: no rule, or no such property allowed. */
  additional: Shape | undefined;
  /** Rules of the names of properties. */
  names: Shape | undefined;
  /** Rules of the first items, one by one. */
  prefix: readonly Shape[];
  /** Rules of the other items. */
  items: Shape | undefined;
  contained: readonly Contained[];
  conditionals: readonly Conditional[];
  /**
   * Lists of pointers: a value satisfies at least one schema of each list. A list has the branches
   * of an `anyOf` or `oneOf`; or one of `dependentSchemas` and its holder, for values to which it
   * does not apply; or the inner schema of `not: {not: …}`.
   */
  alternatives: readonly (readonly string[])[];
}

/** One `contains`. */
export interface Contained {
  pointer: string;
  /** The least number of items that must satisfy it. */
  least: number;
}

/**
 * The shape of a value that must satisfy all these schemas.
 * @throws Unsupported as `collectParts`
 */
export const shapeOf = perPointers((contract, pointers): Shape =>
  merge(contract, [...new Set(pointers)]),
);

/**
 * At an instance path: `*` is any item or map value, a number a first item, `/pattern/` a property
 * whose name fits.
 */
export function shapeAt(shape: Shape, path: readonly string[]): Shape | undefined {
  let current: Shape | undefined = shape;
  for (const segment of path) {
    current = current && childAt(current, segment);
  }
  return current;
}

/** The shape at one segment of an instance path. */
export function childAt(shape: Shape, segment: string): Shape | undefined {
  const own = shape.properties.get(segment);
  if (own) {
    return own;
  }
  if (segment === '*') {
    return shape.items ?? shape.additional;
  }
  const pattern = patternIn(segment);
  if (pattern === undefined) {
    return shape.prefix[Number(segment)];
  }
  return shape.patterns.get(pattern);
}

/** The segment of a path for the properties whose names match `pattern`. */
export const patternSegment = (pattern: string): string => `/${pattern}/`;

/** The pattern that a segment of a path stands for; undefined for other segments. */
export const patternIn = (segment: string): string | undefined => /^\/(.*)\/$/s.exec(segment)?.[1];

/** The places of the schemas of a shape, for messages. */
export const placesOf = ({ roots }: Shape): string => roots.join(' and ');

/** The outermost default, as the contract has it; undefined if there is none. */
export const defaultOf = ({ parts }: Shape): unknown =>
  parts.find(({ schema }) => 'default' in schema)?.schema['default'];

/**
 * The strictest value of a numeric keyword over all parts: the smallest of a `max…`, the largest of
 * a `min…`.
 */
export function strictest(shape: Shape, keyword: string): number | undefined {
  const values = shape.parts
    .map((part) => part.schema[keyword])
    .filter((value) => typeof value === 'number');
  if (values.length === 0) {
    return undefined;
  }
  if (/^(exclusiveM|m)in/.test(keyword)) {
    return Math.max(...values);
  }
  return Math.min(...values);
}

/** The text values of a keyword over all parts, such as all patterns. */
export const texts = (shape: Shape, keyword: string): string[] =>
  shape.parts.map((part) => part.schema[keyword]).filter((value) => typeof value === 'string');

/** Whether some rule says more about a text than how long it may be. */
export const isPatterned = (shape: Shape): boolean =>
  texts(shape, 'pattern').length > 0 || texts(shape, 'format').some(isTextFormat);

/**
 * The shape of a value that exists: if one alternative is null, the other one; else with the types
 * of all.
 */
export function withoutNull(contract: Contract, shape: Shape): Shape {
  const [branches] = shape.alternatives;
  if (!branches) {
    return shape;
  }
  const options = branches
    .map((branch) => shapeOf(contract, ...shape.roots, branch))
    .filter(({ types }) => types.size !== 1 || !types.has('null'));
  const [only, ...others] = options;
  if (only && others.length === 0) {
    return only;
  }
  const types = new Set(options.flatMap((option) => [...option.types]));
  return shapeWith(shape, { types });
}

/** The shape with these members replaced; the others are made when they are first read. */
export const shapeWith = (shape: Shape, members: Partial<Shape>): Shape =>
  Object.create(shape, Object.getOwnPropertyDescriptors(members)) as Shape;

function merge(contract: Contract, roots: string[]): Shape {
  const { parts, passed } = collectParts(contract, roots);
  const shape = Object.create(LAZY_MEMBERS) as MergedShape;
  return Object.assign(shape, { contract, roots, passed, parts });
}

interface MergedShape extends Shape {
  contract: Contract;
}

type LazyMember = Exclude<keyof Shape, 'roots' | 'passed' | 'parts'>;

type Makers = { readonly [K in LazyMember]: (shape: MergedShape) => Shape[K] };

/** The functions that make each member from the parts. */
const MAKERS: Makers = {
  types: typesOf,
  choices: ({ parts }) => choicesOf(parts),
  properties: propertiesOf,
  patterns: patternsOf,
  required: ({ parts }) => new Set(parts.flatMap(requiredOf)),
  allows: allowsOf,
  property: (shape) => (name) => merged(shape, (part) => rulesOfProperty(part, name)),
  additional: additionalOf,
  names: (shape) => below(shape, 'propertyNames'),
  prefix: prefixOf,
  items: (shape) => below(shape, 'items'),
  contained: containedOf,
  conditionals: ({ parts }) => parts.flatMap(conditionalsOf),
  alternatives: ({ parts }) => parts.flatMap(alternativesOf),
};

/** Each member is made when it is first read: of a large contract, few are. */
const LAZY_MEMBERS = prototypeOf(MAKERS);

/** A prototype whose members are made, and kept, by the object that is asked for them. */
function prototypeOf(makers: Makers): object {
  const prototype = {};
  for (const [name, make] of Object.entries<(shape: MergedShape) => unknown>(makers)) {
    Object.defineProperty(prototype, name, {
      get(this: MergedShape) {
        const value = make(this);
        Object.defineProperty(this, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return prototype;
}

/** The types of the choices that are left: lists of choices may have none in common. */
function typesOf({ choices, parts }: Shape): Set<JsonType> {
  const isChosen = (type: JsonType) =>
    type === 'null' || choices === undefined || choices.some((one) => typeOf(one) === type);
  const isAllowed = (type: JsonType) => parts.every((part) => allowsType(part, type));
  return new Set(ALL_TYPES.filter((type) => isChosen(type) && isAllowed(type)));
}

function propertiesOf(shape: Shape): Map<string, Shape> {
  const properties = new Map<string, Shape>();
  for (const name of namesInParts(shape, 'properties')) {
    const child = shape.property(name);
    if (child) {
      properties.set(name, child);
    }
  }
  return properties;
}

function patternsOf(shape: MergedShape): Map<string, Shape> {
  const patterns = new Map<string, Shape>();
  for (const pattern of namesInParts(shape, 'patternProperties')) {
    const child = below(shape, 'patternProperties', pattern);
    if (child) {
      patterns.set(pattern, child);
    }
  }
  return patterns;
}

const requiredOf = ({ schema }: Part): string[] => (schema['required'] ?? []) as string[];

function allowsOf({ parts }: Shape): Shape['allows'] {
  const closed = parts.filter(({ schema }) => schema['additionalProperties'] === false);
  return (name) => closed.every((part) => listsProperty(part, name));
}

function additionalOf(shape: MergedShape): Shape | undefined {
  const isClosed = ({ schema }: Part) =>
    schema['additionalProperties'] === false || schema['unevaluatedProperties'] === false;
  if (shape.parts.some(isClosed)) {
    return undefined;
  }
  return below(shape, 'additionalProperties');
}

function prefixOf(shape: MergedShape): Shape[] {
  const lengths = shape.parts.map((part) => namesIn(part, 'prefixItems').length);
  const longest = Math.max(0, ...lengths);
  const prefix: Shape[] = [];
  for (let index = 0; index < longest; index += 1) {
    const item = merged(shape, (part) => rulesOfItem(part, index));
    if (item) {
      prefix.push(item);
    }
  }
  return prefix;
}

function containedOf({ parts }: Shape): Contained[] {
  const contained: Contained[] = [];
  for (const { pointer, schema } of parts) {
    const { contains, minContains = 1 } = schema;
    if (contains !== undefined) {
      contained.push({
        pointer: joinPointer(pointer, 'contains'),
        least: minContains as number,
      });
    }
  }
  return contained;
}

/** The shape of the schemas at these pointers of each part; undefined without a rule. */
function merged(
  { contract, parts }: MergedShape,
  rulesOf: (part: Part) => string[],
): Shape | undefined {
  const pointers = parts.flatMap(rulesOf);
  if (pointers.length > 0) {
    return shapeOf(contract, ...pointers);
  }
  return undefined;
}

/**
 * The shape of the schemas that a keyword has in each part, possibly under a name; undefined
 * without a rule.
 */
function below(shape: MergedShape, keyword: string, ...name: string[]): Shape | undefined {
  return merged(shape, ({ pointer, schema }) => {
    const stated = schema[keyword];
    if (isObject(stated) && name.every((one) => Object.hasOwn(stated, one))) {
      return [joinPointer(pointer, keyword, ...name)];
    }
    return [];
  });
}

const namesInParts = ({ parts }: Shape, keyword: string): string[] =>
  parts.flatMap((part) => namesIn(part, keyword));
