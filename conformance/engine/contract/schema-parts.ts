/** The schema objects that apply to one value together, and the rules of each by itself. */
import { isDeepStrictEqual } from 'node:util';
import { type JsonType, typeOf } from './json-types.ts';
import { annotationsOf, NOT_SENT, NULL_IS_OPEN, Unsupported } from './keywords.ts';
import { type Contract, entry } from './load.ts';
import { matcherOf } from './patterns.ts';
import { isObject, joinPointer, referenced, valueAt } from './pointers.ts';

export type Schema = Readonly<Record<string, unknown>>;

/** One schema object that applies to a value. */
export interface Part {
  pointer: string;
  schema: Schema;
  /** The schema is in a `oneOf` or `anyOf` beside null, so that null need not satisfy it. */
  nullable: boolean;
}

/** One `if` with its branches. All places are JSON Pointers. */
export interface Conditional {
  /** The schema that holds the `if`. */
  schema: Schema;
  condition: string;
  /** The place of `then`. */
  whenMet: string | undefined;
  /** The place of `else`. */
  whenNot: string | undefined;
}

export interface CollectedParts {
  parts: Part[];
  /** Every pointer on the way to the parts, outermost first. */
  passed: string[];
}

/**
 * The parts that apply to a value of these schemas.
 * @throws Unsupported for an unread rule or a `$ref` to nothing
 */
export function collectParts(contract: Contract, roots: readonly string[]): CollectedParts {
  const found: CollectedParts = { parts: [], passed: [] };
  for (const root of roots) {
    collect(contract, root, false, found);
  }
  return found;
}

function collect(
  contract: Contract,
  pointer: string,
  nullable: boolean,
  found: CollectedParts,
): void {
  if (found.passed.includes(pointer)) {
    return;
  }
  found.passed.push(pointer);
  const schema = valueAt(contract.document, pointer);
  if (schema === true) {
    return;
  }
  if (!isObject(schema)) {
    throw new Unsupported(`the contract has no schema object at ${pointer}`);
  }
  expectReadable(schema, pointer);
  for (const keyword of annotationsOf(schema, pointer)) {
    entry(contract.annotations, keyword, () => pointer);
  }
  found.parts.push({ pointer, schema, nullable });
  if (typeof schema['$ref'] === 'string') {
    collect(contract, referenced(schema['$ref']), nullable, found);
  }
  const allOf = (schema['allOf'] ?? []) as unknown[];
  for (const index of allOf.keys()) {
    collect(contract, joinPointer(pointer, 'allOf', index), nullable, found);
  }
  const branch = nullableBranch(schema);
  if (branch) {
    collect(contract, joinPointer(pointer, branch.keyword, branch.other), true, found);
  }
}

/** @throws Unsupported for invalid values of keywords */
function expectReadable(schema: Schema, pointer: string): void {
  const { required = [], multipleOf = 1 } = schema;
  if (!Array.isArray(required)) {
    throw new Unsupported(`required at ${pointer} is not a list of names`);
  }
  const isAboveZero = Number(multipleOf) > 0;
  if (!isAboveZero) {
    throw new Unsupported(`multipleOf at ${pointer} is not above zero`);
  }
}

/** Two branches of which one is `{type: 'null'}`. */
export interface NullableBranch {
  keyword: 'oneOf' | 'anyOf';
  /** The position of the branch that is not null. */
  other: number;
  /** The position of the branch that is null. */
  nothing: number;
}

/** The `oneOf` or `anyOf` that is `{type: 'null'}` beside exactly one other branch. */
export function nullableBranch(schema: Schema): NullableBranch | undefined {
  for (const keyword of ['oneOf', 'anyOf'] as const) {
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

/** Whether the part allows some value of the type, beyond doubt. */
export function allowsType({ schema, nullable }: Part, type: JsonType): boolean {
  if (type === 'null' && schema[NULL_IS_OPEN] === true) {
    return false;
  }
  if (type === 'null' && nullable) {
    return true;
  }
  const choices = ownChoices(schema);
  if (choices && !choices.some((choice) => typeOf(choice) === type)) {
    return false;
  }
  if (allowsAll(schema['not'])) {
    return false;
  }
  const stated = schema['type'];
  if (stated === undefined) {
    return true;
  }
  const list: unknown[] = [stated].flat();
  return list.includes(type) || (type === 'integer' && list.includes('number'));
}

/** Whether a schema has no rule. */
export const allowsAll = (schema: unknown): boolean =>
  schema === true || (isObject(schema) && Object.keys(schema).length === 0);

/** The values of `enum` and `const` that a schema allows; undefined if it has neither. */
function ownChoices(schema: Schema): unknown[] | undefined {
  const listed = Array.isArray(schema['enum']) ? (schema['enum'] as unknown[]) : undefined;
  if (!('const' in schema)) {
    return listed;
  }
  const only = schema['const'];
  return (listed ?? [only]).filter((choice) => isDeepStrictEqual(choice, only));
}

/** The values of `enum` and `const` that every part allows; undefined if no part has either. */
export function choicesOf(parts: readonly Part[]): unknown[] | undefined {
  const lists = parts.map(({ schema }) => ownChoices(schema)).filter((list) => list !== undefined);
  // The first list is not compared with itself: some have tens of thousands of values.
  const [first, ...others] = lists;
  const isInOthers = (choice: unknown) =>
    others.every((list) => list.some((other) => isDeepStrictEqual(choice, other)));
  return first?.filter(isInOthers);
}

/**
 * The `if` of a schema, and those of its `else` as long as that has nothing else: a chain of
 * conditions.
 */
export function conditionalsOf({
  pointer,
  schema,
}: Pick<Part, 'pointer' | 'schema'>): Conditional[] {
  if (!('if' in schema)) {
    return [];
  }
  const at = (keyword: string) => (keyword in schema ? joinPointer(pointer, keyword) : undefined);
  const other = schema['else'];
  let chained: Conditional[] = [];
  if (isChained(other)) {
    chained = conditionalsOf({ pointer: joinPointer(pointer, 'else'), schema: other });
  }
  const own: Conditional = {
    schema,
    condition: joinPointer(pointer, 'if'),
    whenMet: at('then'),
    whenNot: chained.length > 0 ? undefined : at('else'),
  };
  return [own, ...chained];
}

function isChained(other: unknown): other is Schema {
  const isOfChain = (keyword: string) =>
    ['if', 'then', 'else'].includes(keyword) || keyword.startsWith('x-');
  return isObject(other) && Object.keys(other).every(isOfChain);
}

/** The lists of pointers of which a value must satisfy one: see `Shape.alternatives`. */
export function alternativesOf(part: Part): string[][] {
  const { pointer, schema } = part;
  const nullable = nullableBranch(schema)?.keyword;
  const lists: string[][] = [];
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = placesIn(part, keyword);
    if (keyword !== nullable && branches.length > 0) {
      lists.push(branches);
    }
  }
  for (const applied of placesIn(part, 'dependentSchemas')) {
    lists.push([applied, pointer]);
  }
  const { not } = schema;
  if (isObject(not) && isObject(not['not'])) {
    lists.push([joinPointer(pointer, 'not', 'not')]);
  }
  return lists;
}

const placesIn = (part: Part, keyword: string): string[] =>
  namesIn(part, keyword).map((name) => joinPointer(part.pointer, keyword, name));

/**
 * The names of the schemas of a keyword that has several: names of members, or positions of items.
 * A property that is not sent is none of them, though its schema may still be referred to.
 */
export function namesIn({ schema }: Part, keyword: string): string[] {
  const names = Object.keys((schema[keyword] ?? {}) as object);
  if (keyword === 'properties' && NOT_SENT in schema) {
    return names.filter((name) => !isNotSent(schema, name));
  }
  return names;
}

const isNotSent = (schema: Schema, name: string): boolean =>
  ((schema[NOT_SENT] ?? []) as string[]).includes(name);

/** The pointers of the schemas for the value of a property. */
export function rulesOfProperty({ pointer, schema }: Part, name: string): string[] {
  const rules: string[] = [];
  if (Object.hasOwn(schema['properties'] ?? {}, name) && !isNotSent(schema, name)) {
    rules.push(joinPointer(pointer, 'properties', name));
  }
  for (const pattern of patternsFor(schema, name)) {
    rules.push(joinPointer(pointer, 'patternProperties', pattern));
  }
  if (rules.length === 0 && isObject(schema['additionalProperties'])) {
    rules.push(joinPointer(pointer, 'additionalProperties'));
  }
  return rules;
}

/** Whether `additionalProperties: false` of the part leaves the property allowed. */
export function listsProperty({ schema }: Part, name: string): boolean {
  return (
    Object.hasOwn(schema['properties'] ?? {}, name) ||
    patternsFor(schema, name).length > 0 ||
    isNotSent(schema, name)
  );
}

/** The patterns of `patternProperties` that the name of a property matches. */
export const patternsFor = (schema: Schema, name: string): string[] => {
  const patterns = Object.keys((schema['patternProperties'] ?? {}) as Schema);
  return patterns.filter((pattern) => matcherOf(pattern).test(name));
};

/** The pointers of the schemas for the item at a position. */
export function rulesOfItem(part: Part, index: number): string[] {
  const { pointer, schema } = part;
  if (index < namesIn(part, 'prefixItems').length) {
    return [joinPointer(pointer, 'prefixItems', index)];
  }
  if (isObject(schema['items'])) {
    return [joinPointer(pointer, 'items')];
  }
  return [];
}
