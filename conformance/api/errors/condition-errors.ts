/** Errors of conditions: rules below `then` and `else`, which bind a value to others. */
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import { type Contract, perPointers } from '../../engine/contract/load.ts';
import { isObject, joinPointer, valueAt } from '../../engine/contract/pointers.ts';
import { type SchemaError, schemasOf } from '../../engine/contract/schemas.ts';
import { type ErrorRules, VALUES } from './field-error-table.ts';
import type { RequestError } from './request-error.ts';

/** `then` or `else` as a keyword in a pointer, and not as the name of a property. */
const BELOW_BRANCH = /(?<!\/properties)\/(then|else)(?=\/|$)/;

/** Whether a keyword of the contract stands below a `then` or `else`. */
export function isConditional(pointer: string): boolean {
  return BELOW_BRANCH.test(pointer);
}

const LARGEST_SIZES = ['maxItems', 'maxLength', 'maxProperties'];

/**
 * Whether the keyword allows null or an empty value only.
 * @param stated the value of the keyword
 */
export function isEmptying(keyword: string, stated: unknown): boolean {
  if (keyword === 'type') {
    return stated === 'null';
  }
  if (keyword === 'const') {
    return stated === null;
  }
  return LARGEST_SIZES.includes(keyword) && stated === 0;
}

/**
 * Errors of conditions around a wrong value: they may be broken, too, and may be reported beside
 * it. For example, nobody can say whether `{github: 1, gitlab: {}}` has one provider or two.
 * @param root the schema of the body
 */
export function errorsBeside(
  rules: ErrorRules,
  root: string,
  error: SchemaError,
  body: unknown,
): RequestError[] {
  const place = rules.table.keywords.get(error.keyword)?.place ?? '';
  if (!VALUES.includes(place)) {
    return [];
  }
  return conditionsIn(rules.contract, root)
    .filter(({ path }) => isAround(path, error.path))
    .flatMap((condition) => errorsOfCondition(rules, condition, error, body));
}

/** A branch of an `if`. */
interface Condition extends Clause {
  /** The properties that the `if` and its branches name. */
  bound: ReadonlySet<string>;
}

const conditionsIn = perPointers((contract, [root = '']): readonly Condition[] =>
  clausesOf(contract, root)
    .filter(({ keyword }) => keyword === 'if')
    .map((clause) => ({ ...clause, bound: boundBy(clause.schema) })),
);

function boundBy(schema: Record<string, unknown>): Set<string> {
  const names = new Set<string>();
  for (const keyword of ['if', 'then', 'else']) {
    const part = schema[keyword];
    if (!isObject(part)) {
      continue;
    }
    const properties = Object.keys(part['properties'] ?? {});
    const required = (part['required'] ?? []) as string[];
    for (const name of [...properties, ...required]) {
      names.add(name);
    }
  }
  return names;
}

/**
 * Whether the first path leads to an object around the second one.
 * @param outer may have `*` for any segment
 */
function isAround(outer: readonly string[], inner: readonly string[]): boolean {
  const isPrefix = outer.every((segment, index) => segment === '*' || segment === inner[index]);
  return isPrefix && outer.length < inner.length;
}

function errorsOfCondition(
  { contract, table }: ErrorRules,
  condition: Condition,
  { path, pointer: clause }: SchemaError,
  body: unknown,
): RequestError[] {
  const depth = condition.path.length;
  const holder = joinPointer('', ...path.slice(0, depth));
  const [own, ...inside] = path.slice(depth);
  if (own === undefined || !condition.bound.has(own)) {
    return [];
  }
  const errors: RequestError[] = [];
  const notAllowed = table.notAllowed.codes;
  // A value of another type breaks both its type and the rule that no value is allowed.
  const isItself = inside.length === 0 && !isConditional(clause);
  if (isItself && forbids(contract, condition, own, valueAt(body, holder))) {
    const pointers = [joinPointer('', ...path)];
    errors.push({ codes: notAllowed, pointers, clause: condition.pointer });
  }
  const others = [...condition.bound].filter((name) => name !== own);
  errors.push({
    codes: [...table.required.codes, ...notAllowed],
    pointers: others.map((name) => joinPointer(holder, name)),
    beside: true,
    clause,
  });
  const branch = condition.schema['then'];
  if (isObject(branch) && 'minProperties' in branch) {
    const codes = table.keywords.get('minProperties')?.codes;
    errors.push({ codes, pointers: [holder], beside: true, clause });
  }
  return errors;
}

const BRANCH_NAME = /(then|else)$/;

/**
 * Whether the branch applies to the object, and wants the property to be null, false, empty or
 * disabled.
 */
function forbids(
  contract: Contract,
  { pointer, name }: Condition,
  property: string,
  object: unknown,
): boolean {
  const isMet = schemasOf(contract).isValid(pointer.replace(BRANCH_NAME, 'if'), object);
  const applies = isMet === (name === 'then');
  const schema = joinPointer(pointer, 'properties', property);
  return applies && isOff(valueAt(contract.document, schema));
}

/**
 * Whether the schema allows null, false or an empty value only, or an object with such a property.
 */
function isOff(schema: unknown): boolean {
  if (!isObject(schema)) {
    return false;
  }
  if (schema['const'] === false) {
    return true;
  }
  const isEmpty = Object.entries(schema).some(([keyword, stated]) => isEmptying(keyword, stated));
  return isEmpty || Object.values(schema['properties'] ?? {}).some(isOff);
}
