/**
 * The proof that a value breaks one clause alone: without it, a refusal may have another reason.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Clause } from '../contract/clauses.ts';
import { stringifyJson } from '../contract/json-numbers.ts';
import { BYTE_FORMAT, WHOLE_RULES } from '../contract/keywords.ts';
import type { Contract } from '../contract/load.ts';
import { matcherOf } from '../contract/patterns.ts';
import { joinPointer, valueAt } from '../contract/pointers.ts';
import { schemasOf, type SchemaError } from '../contract/schemas.ts';
import { patternIn } from '../contract/shape.ts';
import { holderOf, without } from '../contract/variants.ts';

/** A value that is to break a clause of a schema. */
interface Claim {
  contract: Contract;
  schemaPointer: string;
  clause: Clause;
  value: unknown;
  errors: readonly SchemaError[];
}

/** Whether all errors of `value` are of this clause, at one place. */
export function proveBreaksOnly(
  contract: Contract,
  schemaPointer: string,
  clause: Clause,
  value: unknown,
): boolean {
  const errors = schemasOf(contract).validate(schemaPointer, value);
  if (errors.length === 0) {
    return false;
  }
  const claim: Claim = { contract, schemaPointer, clause, value, errors };
  // Rules about a whole value fail with errors of many kinds; but without the rule, nothing is
  // wrong.
  if (clause.keyword === 'if') {
    return isValidWithout(claim, []);
  }
  if (WHOLE_RULES.includes(clause.keyword) && isValidWithout(claim, [])) {
    return true;
  }
  const isBroken = errors.some(({ pointer }) => pointer === clause.pointer);
  if (!isBroken) {
    return false;
  }
  const ofWhole = errors.filter(isOfWhole);
  if (ofWhole.length > 0) {
    return isValidWithout(claim, rulesAround(ofWhole, clause));
  }
  return isAtOnePlace(claim);
}

const isOfWhole = ({ keyword }: SchemaError): boolean => WHOLE_RULES.includes(keyword);

/**
 * Rules about a whole value fail together with the rules inside them: without both, nothing may be
 * wrong.
 */
function rulesAround(ofWhole: readonly SchemaError[], clause: Clause): string[] {
  const around = ofWhole.filter(({ path }) => liesAt(path, clause.path.slice(0, path.length)));
  return around.map(({ pointer }) => pointer);
}

/** Whether the value is valid without the clause and these other rules. */
function isValidWithout(claim: Claim, rules: readonly string[]): boolean {
  const { contract, schemaPointer, clause, value, errors } = claim;
  const pointers = [clause.pointer, ...rules];
  const isBelow = (error: SchemaError) =>
    pointers.some((rule) => `${error.pointer}/`.startsWith(`${rule}/`));
  const others = errors.filter((error) => !isBelow(error));
  if (others.length === 0) {
    return true;
  }
  // An error elsewhere stays without these rules, unless one refers to its place, or it is about a
  // value they are in.
  const refers = (rule: string) =>
    stringifyJson(valueAt(contract.document, rule))?.includes('"$ref":');
  if (!others.some(isOfWhole) && !pointers.some(refers)) {
    return false;
  }
  const freed = without(contract, schemaPointer, ...pointers);
  return schemasOf(freed).isValid(schemaPointer, value);
}

/**
 * Whether the errors are about one value or name, at the place of the clause, and all count as the
 * clause.
 */
function isAtOnePlace({ contract, clause, value, errors }: Claim): boolean {
  const [first] = errors;
  if (!first || !liesAt(first.path, clause.path)) {
    return false;
  }
  const name = clause.name ?? first.name;
  const isEmpty = (first.name ?? valueAt(value, joinPointer('', ...first.path))) === '';
  return errors.every((error) => {
    const isThere = isDeepStrictEqual(error.path, first.path) && error.name === name;
    const isOwn = error.pointer === clause.pointer;
    return isThere && (isOwn || countsAs(contract, clause, error, isEmpty));
  });
}

/** Whether an instance path is one that the path of the clause describes. */
function liesAt(path: readonly string[], described: readonly string[]): boolean {
  if (path.length !== described.length) {
    return false;
  }
  return path.every((name, index) => matchesSegment(name, described[index]));
}

function matchesSegment(name: string, segment = ''): boolean {
  if (segment === '*' || segment === name) {
    return true;
  }
  const pattern = patternIn(segment);
  return pattern !== undefined && matcherOf(pattern).test(name);
}

/** Whether an error is of a rule that can only be broken together with the clause. */
function countsAs(
  contract: Contract,
  clause: Clause,
  error: SchemaError,
  isEmpty: boolean,
): boolean {
  const stated = valueAt(contract.document, error.pointer);
  const isBeside = holderOf(error.pointer) === holderOf(clause.pointer);
  const decided = isBeside ? countsBeside(clause, error, stated, isEmpty) : undefined;
  if (decided !== undefined) {
    return decided;
  }
  // A value of a wrong type is of a wrong type by a condition, too.
  if (clause.keyword === 'type' && error.keyword === 'type') {
    return true;
  }
  if (clause.keyword === 'required') {
    return error.keyword === 'required';
  }
  const isSameRule = error.keyword === clause.keyword;
  return isSameRule && isDeepStrictEqual(stated, clause.schema[clause.keyword]);
}

const LONGEST = ['x-max-bytes', 'maxLength'];

/**
 * Whether an error of a rule in the same schema counts as the clause; undefined if their keywords
 * do not decide it.
 * @param stated the value of the broken keyword
 * @param isEmpty whether the value or name that is wrong is an empty text
 */
function countsBeside(
  clause: Clause,
  error: SchemaError,
  stated: unknown,
  isEmpty: boolean,
): boolean | undefined {
  if (LONGEST.includes(clause.keyword) && 'x-max-bytes' in clause.schema) {
    const isOfBytes = error.keyword === 'format' && BYTE_FORMAT.test(String(stated));
    return isOfBytes || LONGEST.includes(error.keyword);
  }
  if (['type', 'minimum', 'maximum'].includes(clause.keyword)) {
    return error.keyword === 'format';
  }
  if (['pattern', 'format'].includes(clause.keyword) && error.keyword === 'minLength') {
    return isEmpty;
  }
  if (['enum', 'const'].includes(clause.keyword) && error.keyword === 'type') {
    return true;
  }
  return undefined;
}
