/**
 * One view of a schema for clauses, valid values and violations, with `$ref`, `allOf` and alternatives to null merged.
 */
import { isDeepStrictEqual } from 'node:util';
import { annotationsOf, isTextFormat, NOT_SENT, Unsupported } from './keywords.ts';
import { type Contract, entry, perPointers } from './load.ts';
import { matcherOf } from './patterns.ts';
import { isObject, joinPointer, referenced, valueAt } from './pointers.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** `number` here means a number with a fraction: a schema's `number` allows both it and `integer`. */
export type JsonType = 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object';

/** One schema object that applies. `nullable`: it is in a `oneOf` or `anyOf` beside null, so null need not satisfy it. */
export interface Part {
  pointer: string;
  schema: Schema;
  nullable: boolean;
}

/** Pointers of one `if`, and of its `then` and `else`; and the schema that holds them. */
export interface Conditional {
  schema: Schema;
  condition: string;
  whenMet: string | undefined;
  whenNot: string | undefined;
}

export interface Shape {
  /** The pointers that this shape was made from. */
  roots: readonly string[];
  /** Every pointer passed on the way to the parts, outermost first; a component that is referred to is among them. */
  passed: readonly string[];
  parts: readonly Part[];
  /** The types that every part allows. */
  types: ReadonlySet<JsonType>;
  /** Values of `enum` and `const` that every part allows, without the null of a nullable part; undefined: no rule. */
  choices: readonly unknown[] | undefined;
  properties: ReadonlyMap<string, Shape>;
  /** Rules of the values of properties whose names match a pattern. */
  patterns: ReadonlyMap<string, Shape>;
  required: ReadonlySet<string>;
  /** Names that some part refuses, since it has `additionalProperties: false`, are false. */
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
  /** The pointers of each `contains`, with the least number of items that must satisfy it. */
  contained: readonly { pointer: string; least: number }[];
  conditionals: readonly Conditional[];
  /**
   * For each `anyOf` and `oneOf`, the pointers of its branches; for each of `dependentSchemas`, that of the schema, and
   * that of its holder for values to which it does not apply; of `not: {not: …}`, what must be after all.
   */
  alternatives: readonly (readonly string[])[];
}

export const ALL_TYPES: readonly JsonType[] = [
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
];

/** The shape of a value that must satisfy all these schemas. @throws Unsupported for an unread rule or a dead `$ref` */
export const shapeOf = perPointers((contract, pointers): Shape =>
  merge(contract, [...new Set(pointers)]),
);

/** At an instance path: `*` is any item or map value, a number a first item, `/pattern/` a property whose name fits. */
export function shapeAt(shape: Shape, path: readonly string[]): Shape | undefined {
  return path.reduce<Shape | undefined>(
    (current, segment) => current && childAt(current, segment),
    shape,
  );
}

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
export const segmentOf = (pattern: string): string => `/${pattern}/`;

/** The pattern that a segment of a path stands for. */
export const patternIn = (segment: string): string | undefined => /^\/(.*)\/$/s.exec(segment)?.[1];

/** The outermost default, as the contract has it; undefined where there is none. */
export const defaultOf = ({ parts }: Shape) =>
  parts.find(({ schema }) => 'default' in schema)?.schema['default'];

/** The strictest value of a numeric keyword over all parts: the smallest of a `max…`, the largest of a `min…`. */
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

export function typeOf(value: unknown): JsonType {
  if (value === null) {
    return 'null';
  }
  if (Array.isArray(value)) {
    return 'array';
  }
  if (typeof value === 'number') {
    return Number.isInteger(value) ? 'integer' : 'number';
  }
  if (typeof value === 'bigint') {
    return 'integer';
  }
  return typeof value as 'boolean' | 'string' | 'object';
}

/** The `oneOf` or `anyOf` that is `{type: 'null'}` beside exactly one other branch, and the positions of both. */
export function nullableBranch(
  schema: Schema,
): { keyword: string; other: number; nothing: number } | undefined {
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || branches.length !== 2) {
      continue;
    }
    const nothing = branches.findIndex((branch) => isObject(branch) && branch['type'] === 'null');
    if (nothing >= 0) {
      return { keyword, other: 1 - nothing, nothing };
    }
  }
  return undefined;
}

/** The shape of a value that exists: where an alternative is null, the other one; else all types of alternatives. */
export function withoutNull(contract: Contract, shape: Shape): Shape {
  const [branches] = shape.alternatives;
  if (!branches) {
    return shape;
  }
  const options = branches
    .map((branch) => shapeOf(contract, ...shape.roots, branch))
    .filter(({ types }) => types.size !== 1 || !types.has('null'));
  const types = new Set(options.flatMap((option) => [...option.types]));
  return options.length === 1 ? options[0]! : shapeWith(shape, { types });
}

/** The JSON value that a raw text stands for, by the types that the schema allows. */
export function spelled(shape: Shape, raw: string): unknown {
  if (shape.types.has('string')) {
    return raw;
  }
  if (shape.types.has('integer') && /^-?(0|[1-9]\d*)$/.test(raw)) {
    return Number(raw);
  }
  if (shape.types.has('number') && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(raw)) {
    return Number(raw);
  }
  if (shape.types.has('boolean') && /^(true|false)$/.test(raw)) {
    return raw === 'true';
  }
  return raw;
}

/** Some readers take these for a boolean. */
const BOOLEANS = /^(t|f|true|false|y|n|yes|no|on|off|0|1)$/i;

/** Whether readers differ on the text: one for a boolean, with a number, or with JSON in it. */
export function isDoubtful(shape: Shape, raw: string): boolean {
  if (shape.types.has('string') || typeof spelled(shape, raw) !== 'string') {
    return false;
  }
  if (shape.types.has('boolean')) {
    return BOOLEANS.test(raw);
  }
  return Number.isFinite(Number(raw)) || raw.startsWith('{');
}

function merge(contract: Contract, roots: string[]): Shape {
  const parts: Part[] = [];
  const passed: string[] = [];
  for (const root of roots) {
    collect(contract, root, false, parts, passed);
  }
  return Object.assign(Object.create(MEMBERS) as Merged, { contract, roots, passed, parts });
}

type Merged = Shape & { contract: Contract };

/** How each member follows from the parts. It is made when it is first asked for: of a large contract, few are. */
const MEMBERS = lazy<Omit<Shape, 'roots' | 'passed' | 'parts'>>({
  types: ({ choices, parts }) => {
    // Lists of choices may have none in common.
    const isLeft = (type: JsonType) =>
      type === 'null' || (choices?.some((one) => typeOf(one) === type) ?? true);
    return new Set(
      ALL_TYPES.filter((type) => isLeft(type) && parts.every((part) => allowsType(part, type))),
    );
  },
  choices: ({ parts }) => choicesOf(parts),
  properties: (shape) =>
    new Map(namesBelow(shape, 'properties').map((name) => [name, shape.property(name)!])),
  patterns: (shape) =>
    new Map(
      namesBelow(shape, 'patternProperties').map((one) => [
        one,
        below(shape, 'patternProperties', one)!,
      ]),
    ),
  required: ({ parts }) =>
    new Set(parts.flatMap(({ schema }) => (schema['required'] ?? []) as string[])),
  allows: ({ parts }) => {
    const closed = parts.filter(({ schema }) => schema['additionalProperties'] === false);
    return (name) => closed.every((part) => listsProperty(part, name));
  },
  property: (shape) => (name) => merged(shape, (part) => rulesOfProperty(part, name)),
  additional: (shape) => {
    const stated = ({ schema }: Part) => [
      schema['additionalProperties'],
      schema['unevaluatedProperties'],
    ];
    if (shape.parts.flatMap(stated).includes(false)) {
      return undefined;
    }
    return below(shape, 'additionalProperties');
  },
  names: (shape) => below(shape, 'propertyNames'),
  prefix: (shape) => {
    const length = Math.max(0, ...shape.parts.map((part) => namesIn(part, 'prefixItems').length));
    return Array.from({ length }, (_, index) => merged(shape, (part) => rulesOfItem(part, index))!);
  },
  items: (shape) => below(shape, 'items'),
  contained: ({ parts }) =>
    parts.flatMap(({ pointer, schema: { contains, minContains = 1 } }) => {
      if (contains === undefined) {
        return [];
      }
      return [{ pointer: joinPointer(pointer, 'contains'), least: minContains as number }];
    }),
  conditionals: ({ parts }) => parts.flatMap(conditionalsOf),
  alternatives: ({ parts }) => parts.flatMap(alternativesOf),
});

/** A prototype with members that each object makes once. */
function lazy<T>(makers: { [K in keyof T]: (shape: Merged) => T[K] }): object {
  const prototype = {};
  for (const [name, make] of Object.entries<(shape: Merged) => unknown>(makers)) {
    Object.defineProperty(prototype, name, {
      get(this: Merged) {
        const value = make(this);
        Object.defineProperty(this, name, { value, enumerable: true });
        return value;
      },
    });
  }
  return prototype;
}

/** Of what these pointers lead to, found in each part; undefined: no rule. */
function merged({ contract, parts }: Merged, rulesOf: (part: Part) => string[]): Shape | undefined {
  const pointers = parts.flatMap(rulesOf);
  return pointers.length > 0 ? shapeOf(contract, ...pointers) : undefined;
}

/** Of what the keyword has, perhaps under a name. */
const below = (shape: Merged, keyword: string, ...name: string[]): Shape | undefined =>
  merged(shape, ({ pointer, schema: { [keyword]: stated } }) => {
    const isThere = isObject(stated) && name.every((one) => Object.hasOwn(stated, one));
    return isThere ? [joinPointer(pointer, keyword, ...name)] : [];
  });

const namesBelow = ({ parts }: Shape, keyword: string): string[] =>
  parts.flatMap((part) => namesIn(part, keyword));

/** The shape with these members in place of its own; the others are made when they are first asked for. */
export const shapeWith = (shape: Shape, members: Partial<Shape>): Shape =>
  Object.create(shape, Object.getOwnPropertyDescriptors(members)) as Shape;

/** The `if` of a schema, and those of its `else` as long as that has nothing else: a chain of conditions. */
export function conditionalsOf({
  pointer,
  schema,
}: Pick<Part, 'pointer' | 'schema'>): Conditional[] {
  if (!('if' in schema)) {
    return [];
  }
  const other = schema['else'];
  const chained = isChained(other)
    ? conditionalsOf({ pointer: joinPointer(pointer, 'else'), schema: other })
    : [];
  const at = (keyword: string) => (keyword in schema ? joinPointer(pointer, keyword) : undefined);
  const whenNot = chained.length > 0 ? undefined : at('else');
  return [
    { schema, condition: joinPointer(pointer, 'if'), whenMet: at('then'), whenNot },
    ...chained,
  ];
}

function isChained(other: unknown): other is Schema {
  const isOfChain = (keyword: string) =>
    ['if', 'then', 'else'].includes(keyword) || keyword.startsWith('x-');
  return isObject(other) && Object.keys(other).every(isOfChain);
}

function alternativesOf(part: Part): string[][] {
  const { pointer, schema } = part;
  const branches = (keyword: string) =>
    namesIn(part, keyword).map((name) => joinPointer(pointer, keyword, name));
  const { not } = schema;
  return [
    ...['anyOf', 'oneOf'].map((keyword) => {
      if (nullableBranch(schema)?.keyword === keyword) {
        return [];
      }
      return branches(keyword);
    }),
    ...branches('dependentSchemas').map((applied) => [applied, pointer]),
    isObject(not) && isObject(not['not']) ? [joinPointer(pointer, 'not', 'not')] : [],
  ].filter((list) => list.length > 0);
}

/** The names of what a keyword with several schemas has: of members, or positions of items. */
const namesIn = ({ schema }: Part, keyword: string): string[] =>
  Object.keys((schema[keyword] ?? {}) as object);

function collect(
  contract: Contract,
  pointer: string,
  nullable: boolean,
  parts: Part[],
  passed: string[],
): void {
  if (passed.includes(pointer)) {
    return;
  }
  passed.push(pointer);
  const schema = valueAt(contract.document, pointer);
  if (schema === true) {
    return;
  }
  if (!isObject(schema)) {
    throw new Unsupported(`the contract has no schema object at ${pointer}`);
  }
  const { required = [], multipleOf = 1 } = schema;
  if (!Array.isArray(required)) {
    throw new Unsupported(`required at ${pointer} is not a list of names`);
  }
  if (!(Number(multipleOf) > 0)) {
    throw new Unsupported(`multipleOf at ${pointer} is not above zero`);
  }
  for (const keyword of annotationsOf(schema, pointer)) {
    entry(contract.annotations, keyword, () => pointer);
  }
  parts.push({ pointer, schema, nullable });
  if (typeof schema['$ref'] === 'string') {
    collect(contract, referenced(schema['$ref']), nullable, parts, passed);
  }
  for (const index of ((schema['allOf'] ?? []) as unknown[]).keys()) {
    collect(contract, joinPointer(pointer, 'allOf', index), nullable, parts, passed);
  }
  const branch = nullableBranch(schema);
  if (branch) {
    collect(contract, joinPointer(pointer, branch.keyword, branch.other), true, parts, passed);
  }
}

function allowsType({ schema, nullable }: Part, type: JsonType): boolean {
  if (type === 'null' && nullable) {
    return true;
  }
  const choices = ownChoices(schema);
  if (choices && !choices.some((choice) => typeOf(choice) === type)) {
    return false;
  }
  const stated = schema['type'];
  if (allowsAll(schema['not'])) {
    return false;
  }
  if (stated === undefined) {
    return true;
  }
  const list = Array.isArray(stated) ? (stated as unknown[]) : [stated];
  return list.includes(type) || (type === 'integer' && list.includes('number'));
}

/** A schema without a rule. */
export const allowsAll = (schema: unknown): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).length === 0);

function ownChoices(schema: Schema): unknown[] | undefined {
  const listed = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
  if (!('const' in schema)) {
    return listed;
  }
  return (listed ?? [schema['const']]).filter((choice) =>
    isDeepStrictEqual(choice, schema['const']),
  );
}

function choicesOf(parts: readonly Part[]): unknown[] | undefined {
  const lists = parts.map(({ schema }) => ownChoices(schema)).filter((list) => list !== undefined);
  const [first, ...others] = lists;
  // Some lists have tens of thousands of values.
  return first?.filter((choice) =>
    others.every((list) => list.some((other) => isDeepStrictEqual(choice, other))),
  );
}

function rulesOfProperty({ pointer, schema }: Part, name: string): string[] {
  const rules = patternsFor(schema, name).map((pattern) =>
    joinPointer(pointer, 'patternProperties', pattern),
  );
  if (Object.hasOwn(schema['properties'] ?? {}, name)) {
    rules.unshift(joinPointer(pointer, 'properties', name));
  }
  if (rules.length > 0 || !isObject(schema['additionalProperties'])) {
    return rules;
  }
  return [joinPointer(pointer, 'additionalProperties')];
}

function listsProperty({ schema }: Part, name: string): boolean {
  return (
    Object.hasOwn(schema['properties'] ?? {}, name) ||
    patternsFor(schema, name).length > 0 ||
    ((schema[NOT_SENT] ?? []) as string[]).includes(name)
  );
}

export const patternsFor = (schema: Schema, name: string): string[] =>
  Object.keys((schema['patternProperties'] ?? {}) as Schema).filter((one) =>
    matcherOf(one).test(name),
  );

function rulesOfItem(part: Part, index: number): string[] {
  const { pointer, schema } = part;
  if (index < namesIn(part, 'prefixItems').length) {
    return [joinPointer(pointer, 'prefixItems', index)];
  }
  return isObject(schema['items']) ? [joinPointer(pointer, 'items')] : [];
}
