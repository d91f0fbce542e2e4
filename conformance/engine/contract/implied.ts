/**
 * Clauses that no value breaks alone, each with the reason. The schema alone shows it: no value is
 * generated.
 */
import { isDeepStrictEqual } from 'node:util';
import { clausesOf, type Clause, dependencyOf } from './clauses.ts';
import { BYTE_FORMAT, isTextFormat, SHORTEST } from './keywords.ts';
import { type Contract, groupBy, perPointers } from './load.ts';
import { type LengthRange, lengthsOfPattern } from './pattern-lengths.ts';
import { isObject } from './pointers.ts';
import { type Shape, shapeAt, shapeOf, strictest, texts } from './shape.ts';
import { allowsAll } from './schema-parts.ts';

const MINIMUM_SIZE = /^min(Length|Items|Properties|Contains)$/;

/**
 * The reason in a sentence; undefined if none is known: then a value must exist that breaks the
 * clause alone.
 */
export function reasonOf(
  contract: Contract,
  schemaPointer: string,
  clause: Clause,
): string | undefined {
  const { keyword, schema } = clause;
  const shape = boundShape(contract, schemaPointer, clause);
  if (!shape) {
    return undefined;
  }
  const alike = alikeIn(contract, schemaPointer).get(kindOf(clause)) ?? [];
  const twin = alike.find((other) => other !== clause && covers(other, clause));
  if (twin) {
    return `A value that breaks it breaks ${twin.pointer}, too.`;
  }
  if (keyword === 'maxLength' && hasByteLimitOfAnotherOrigin(contract, schemaPointer, clause)) {
    return undefined;
  }
  const limit = schema[keyword] as number;
  if (limit === 0 && MINIMUM_SIZE.test(keyword)) {
    return 'No value has fewer than 0.';
  }
  return REASONS[keyword]?.({ shape, clause, schema, limit });
}

/** The shape of the values or of the names that the clause binds. */
function boundShape(
  contract: Contract,
  schemaPointer: string,
  { path, onNames }: Clause,
): Shape | undefined {
  const shape = shapeAt(shapeOf(contract, schemaPointer), path);
  return onNames ? shape?.names : shape;
}

/**
 * Whether a limit of the source has a limit beside it in another unit, which was decided. Each is
 * tried by itself, since a run may be limited to one origin.
 */
function hasByteLimitOfAnotherOrigin(
  contract: Contract,
  schemaPointer: string,
  { schema, origin }: Clause,
): boolean {
  return clausesOf(contract, schemaPointer).some(
    (other) =>
      other.keyword === 'x-max-bytes' && other.schema === schema && other.origin !== origin,
  );
}

/** The same text for all clauses of one keyword at one place. */
const kindOf = ({ keyword, name, onNames, path }: Clause): string =>
  [keyword, name, onNames, ...path].join('\n');

const alikeIn = perPointers((contract, [pointer = '']) =>
  groupBy(clausesOf(contract, pointer), kindOf),
);

/** Whether every value that breaks `clause` breaks `other`, a clause of the same kind. */
function covers(other: Clause, clause: Clause): boolean {
  const { keyword } = clause;
  const theirs = other.schema[other.keyword];
  const ours = clause.schema[keyword];
  if (typeof theirs === 'number' && typeof ours === 'number' && theirs !== ours) {
    if (keyword.startsWith('min')) {
      return theirs > ours;
    }
    return theirs < ours;
  }
  if (keyword === 'required' || isDeepStrictEqual(theirs, ours)) {
    return other.id < clause.id;
  }
  return keyword === 'type' && allowsEachType(ours, theirs);
}

/** Whether `type: stated` allows each of the types that another `type` lists. */
function allowsEachType(stated: unknown, others: unknown): boolean {
  const allowed = [stated].flat();
  return [others].flat().every((type) => {
    const isWholeNumber = type === 'integer' && stated === 'number';
    return isWholeNumber || allowed.includes(type);
  });
}

/** A clause with the data that decides whether another rule implies it. */
interface BoundClause {
  /** The shape of the values that the clause binds. */
  shape: Shape;
  clause: Clause;
  /** The schema object that holds the keyword. */
  schema: Clause['schema'];
  /** The value of the keyword, if that is a number. */
  limit: number;
}

/** Why a clause of the keyword is implied; undefined if it is not. */
const REASONS: Readonly<Record<string, (bound: BoundClause) => string | undefined>> = {
  type: reasonOfType,
  format: reasonOfFormat,
  maxLength: reasonOfMaxLength,
  minLength: reasonOfMinLength,
  maxProperties: reasonOfMaxProperties,
  unevaluatedItems: ({ schema }) => reasonOfUnevaluated(schema, 'unevaluatedItems'),
  unevaluatedProperties: ({ schema }) => reasonOfUnevaluated(schema, 'unevaluatedProperties'),
  anyOf: reasonOfAnyOf,
  contains: reasonOfContains,
  minContains: reasonOfMinContains,
  if: reasonOfBranch,
  dependentRequired: reasonOfDependency,
};

function reasonOfType({ shape, clause }: BoundClause): string | undefined {
  if (clause.onNames) {
    return 'The name of a property is always a string.';
  }
  if (shape.choices !== undefined) {
    return 'A value of another type is not one of the listed values, either.';
  }
  return undefined;
}

function reasonOfFormat({ shape, schema }: BoundClause): string | undefined {
  const name = schema['format'] as string;
  if (BYTE_FORMAT.test(name)) {
    const isStated = strictest(shape, 'x-max-bytes') !== undefined;
    if (isStated) {
      return 'x-max-bytes beside it states the same rule.';
    }
    return undefined;
  }
  if (name === 'int32') {
    if (isWithin32Bits(shape)) {
      return 'Type and range beside it are stricter.';
    }
    return undefined;
  }
  if (isTextFormat(name)) {
    return undefined;
  }
  return 'This format allows each value that its type allows.';
}

function isWithin32Bits(shape: Shape): boolean {
  const minimum = strictest(shape, 'minimum') ?? -Infinity;
  const maximum = strictest(shape, 'maximum') ?? Infinity;
  return minimum >= -(2 ** 31) && maximum < 2 ** 31;
}

function reasonOfMaxLength({ shape, limit }: BoundClause): string | undefined {
  const mostBytes = strictest(shape, 'x-max-bytes') ?? Infinity;
  if (limit >= mostBytes) {
    return 'A text with more characters has more bytes, too: x-max-bytes beside it is stricter.';
  }
  if (lengthsOf(shape).max <= limit) {
    return 'No text that matches the pattern is longer.';
  }
  return undefined;
}

function reasonOfMinLength({ shape, limit }: BoundClause): string | undefined {
  if (lengthsOf(shape).min >= limit) {
    return 'No text that matches the pattern or format is shorter.';
  }
  return undefined;
}

/** The lengths of the texts that the patterns and formats allow. */
function lengthsOf(shape: Shape): LengthRange {
  let min = 0;
  let max = Infinity;
  for (const pattern of texts(shape, 'pattern')) {
    const lengths = lengthsOfPattern(pattern);
    min = Math.max(min, lengths.min);
    max = Math.min(max, lengths.max);
  }
  for (const format of texts(shape, 'format').filter(isTextFormat)) {
    min = Math.max(min, SHORTEST[format]);
  }
  return { min, max };
}

function reasonOfMaxProperties({ shape, limit }: BoundClause): string | undefined {
  const { allows, patterns, properties } = shape;
  const isClosed = !allows('x-unlisted') && patterns.size === 0;
  if (isClosed && properties.size <= limit) {
    return 'The schema has no more properties than that.';
  }
  return undefined;
}

/** The keyword beside an `unevaluated…` that leaves nothing for it. */
const EVALUATES_ALL = {
  unevaluatedItems: 'items',
  unevaluatedProperties: 'additionalProperties',
};

function reasonOfUnevaluated(
  schema: Clause['schema'],
  keyword: keyof typeof EVALUATES_ALL,
): string | undefined {
  const beside = EVALUATES_ALL[keyword];
  if (beside in schema) {
    return `${beside} beside it applies to all others.`;
  }
  if (allowsAll(schema[keyword])) {
    return 'It allows anything.';
  }
  return undefined;
}

function reasonOfAnyOf({ schema }: BoundClause): string | undefined {
  const branches = schema['anyOf'] as unknown[];
  if (branches.some(allowsAll)) {
    return 'One of its branches allows anything.';
  }
  return undefined;
}

function reasonOfContains({ schema }: BoundClause): string | undefined {
  if (schema['minContains'] === 0) {
    return 'minContains beside it is 0.';
  }
  return undefined;
}

function reasonOfMinContains({ limit }: BoundClause): string | undefined {
  if (limit === 1) {
    return 'contains alone requires one.';
  }
  return undefined;
}

function reasonOfBranch({ schema, clause }: BoundClause): string | undefined {
  const condition = schema['if'];
  if (clause.name === 'else') {
    if (allowsAll(condition)) {
      return 'Every value meets the condition.';
    }
    return undefined;
  }
  const isNeverMet = isObject(condition) && allowsAll(condition['not']);
  if (isNeverMet) {
    return 'No value meets the condition.';
  }
  return undefined;
}

/**
 * For `a: [b, c]` and `c: [b]`: a value without b breaks the rule of a about c, or the rule of c
 * about b.
 */
function reasonOfDependency({ clause }: BoundClause): string | undefined {
  const { rules, trigger, missing } = dependencyOf(clause);
  const other = rules[trigger]?.find((one) => one !== missing && rules[one]?.includes(missing));
  if (!other) {
    return undefined;
  }
  return `A value without ${missing} has ${other}, which requires it, or lacks ${other} as well.`;
}
