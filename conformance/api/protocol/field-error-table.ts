/**
 * What a contract says about errors in a body: which code and which place follow from the schema keyword that is broken.
 * It is read from the table under "### Field errors" in `info.description`. A contract without that heading says nothing
 * about them; a table that cannot be read is an error, so that no row is passed over.
 */
import { clausesOf } from '../../engine/contract/clauses.ts';
import type { Contract } from '../../engine/contract/load.ts';
import { isObject, joinPointer, parsePointer, valueAt } from '../../engine/contract/pointers.ts';
import { schemasOf, type SchemaError } from '../../engine/contract/schemas.ts';

/** One entry of `errors` that a service may report: any of the codes at any of the places. */
export interface FieldErrorRule {
  /** Undefined where the contract gives no code for the keyword. */
  codes: readonly string[] | undefined;
  /** JSON Pointers into the body. */
  pointers: readonly string[];
  /** It may be reported beside the error, at these places and below them, but is none that must be. */
  beside?: true;
  /** JSON Pointer into the contract of the keyword that is broken. */
  clause: string;
}

export interface FieldErrorTable {
  byKeyword: ReadonlyMap<string, { code: string; place: Place }>;
  /** Of a property that a `then` or `else` asks for: codes where it is missing, and where it is null. */
  missing: readonly string[];
  null: readonly string[];
  /** Of a property that a `then` or `else` wants to be null, false or empty. */
  notAllowed: readonly string[];
}

const PLACES = {
  'the value': 'value',
  'the text': 'value',
  'the number': 'value',
  'the list': 'value',
  'the object': 'value',
  'the list, or the second of the two items': 'list or second item',
  'where the property would stand': 'property',
  'the property': 'property',
  'the property, or the object': 'property or object',
} as const;

type Place = (typeof PLACES)[keyof typeof PLACES];

const HEADING = '### Field errors';

const tables = new WeakMap<Contract, { table: FieldErrorTable | undefined }>();

/** Undefined for a contract that has no such table. @throws Error for one that cannot be read */
export function fieldErrorTable(contract: Contract): FieldErrorTable | undefined {
  let known = tables.get(contract);
  if (!known) {
    const info = contract.document['info'];
    const description = isObject(info) && typeof info['description'] === 'string' ? info['description'] : '';
    tables.set(contract, (known = { table: parseFieldErrorTable(description) }));
  }
  return known.table;
}

/** @throws Error that shows the row which cannot be read */
export function parseFieldErrorTable(description: string): FieldErrorTable | undefined {
  const lines = description.split('\n').map((line) => line.trim());
  const start = lines.indexOf(HEADING);
  if (start < 0) return undefined;
  const end = lines.findIndex((line, index) => index > start && line.startsWith('#'));
  const [head, rule, ...rows] = lines.slice(start, end < 0 ? lines.length : end).filter((line) => line.startsWith('|'));
  if (head !== '| keyword | code | place |' || !/^\|[-|]+\|$/.test(rule ?? '') || rows.length === 0)
    throw new Error(`"${HEADING}" in the contract has no table of keyword, code and place`);
  const byKeyword = new Map<string, { code: string; place: Place }>();
  const conditional = new Map<string, readonly string[]>();
  for (const row of rows) {
    const fail = (why: string) => new Error(`a row of "${HEADING}" in the contract cannot be read (${why}): ${row}`);
    const cells = row
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim());
    const [keyword = '', code = '', place = ''] = cells;
    if (cells.length !== 3 || !Object.hasOwn(PLACES, place)) throw fail('three cells, the last one a known place');
    const codes = [...code.matchAll(/`(\w+)`/g)].map(([, one]) => one!);
    const [, condition] = /^`then`, `else`: (.+)$/.exec(keyword) ?? [];
    if (condition !== undefined) {
      if (codes.length === 0) throw fail('no code');
      conditional.set(condition, codes);
      continue;
    }
    if (!/^`[\w-]+`(, `[\w-]+`)*$/.test(keyword)) throw fail('keywords');
    const keywords = [...keyword.matchAll(/`([\w-]+)`/g)].map(([, one]) => one!);
    // The names of properties have the codes of any text.
    if (keyword === '`propertyNames`' && code === 'as for a text') continue;
    if (!/^`\w+`(, `\w+`)*$/.test(code) || ![1, keywords.length].includes(codes.length)) throw fail('codes');
    for (const [index, one] of keywords.entries())
      byKeyword.set(one, { code: codes[index] ?? codes[0]!, place: PLACES[place as keyof typeof PLACES] });
  }
  const required = conditional.get('a property is missing or null');
  const notAllowed = conditional.get('a property must be null, false or empty');
  if (!required || !notAllowed || conditional.size !== 2)
    throw new Error(`"${HEADING}" in the contract lacks the two rows for \`then\` and \`else\``);
  return { byKeyword, missing: required.slice(0, 1), null: required, notAllowed };
}

/** A name for validators of the rule that `x-max-bytes` states. */
const BYTE_FORMAT = /^max-\d+-utf8-bytes$/;

/**
 * Every error that `body` has by the schema at `pointer`. Several rules may be broken by one thing, such as `type` and
 * `enum`: a service reports any of them. Undefined where the contract has no table.
 */
export function fieldErrorsOf(contract: Contract, pointer: string, body: unknown): FieldErrorRule[] | undefined {
  const table = fieldErrorTable(contract);
  if (!table) return undefined;
  return schemasOf(contract)
    .validate(pointer, body)
    .flatMap((error) => [
      { ...ruleFor(contract, table, error, body), clause: error.pointer },
      ...besideWrongValue(contract, table, pointer, error),
    ]);
}

/**
 * What a rule that binds properties together says of the others beside a wrong value is free: in
 * `{"github": 1, "gitlab": {}}`, a service may count one provider or two.
 */
function besideWrongValue(
  contract: Contract,
  table: FieldErrorTable,
  pointer: string,
  { path, keyword, pointer: clause }: SchemaError,
): FieldErrorRule[] {
  if (table.byKeyword.get(keyword)?.place !== 'value') return [];
  const bound = clausesOf(contract, pointer).filter(
    (one) =>
      one.keyword === 'if' &&
      one.path.length < path.length &&
      one.path.every((segment, index) => segment === '*' || segment === path[index]),
  );
  return bound.flatMap((one): FieldErrorRule[] => {
    const around = path.slice(0, one.path.length);
    const own = path[one.path.length]!;
    const names = boundBy(one.schema);
    if (!names.has(own)) return [];
    names.delete(own);
    const pointers = [...names].map((name) => joinPointer('', ...around, name));
    const least = isObject(one.schema['then']) && 'minProperties' in one.schema['then'];
    const tooFew = table.byKeyword.get('minProperties')?.code;
    return [
      { codes: [...table.null, ...table.notAllowed], pointers, beside: true, clause },
      ...(least && tooFew !== undefined
        ? [{ codes: [tooFew], pointers: [joinPointer('', ...around)], beside: true as const, clause }]
        : []),
    ];
  });
}

/** The properties that an `if` and its branches speak of. */
function boundBy(schema: Record<string, unknown>): Set<string> {
  return new Set(
    ['if', 'then', 'else'].flatMap((keyword) => {
      const part = schema[keyword];
      if (!isObject(part)) return [];
      const properties = isObject(part['properties']) ? Object.keys(part['properties']) : [];
      return [...properties, ...((part['required'] ?? []) as string[])];
    }),
  );
}

function ruleFor(
  contract: Contract,
  table: FieldErrorTable,
  error: SchemaError,
  body: unknown,
): Omit<FieldErrorRule, 'clause'> {
  const { path, keyword, name } = error;
  const here = joinPointer('', ...path);
  const stated = valueAt(contract.document, error.pointer);
  const value = path.reduce<unknown>((at, segment) => (at as Record<string, unknown>)[segment], body);
  if (isConditional(error.pointer)) {
    // Such as `{type: [object, 'null'], required: [enabled], properties: {enabled: {const: false}}}`: null and false are
    // both right, so that the error may be at the property or at the object that holds it.
    if (keyword === 'required' && mustBeFalse(contract, error))
      return { codes: table.notAllowed, pointers: [here, joinPointer(here, name!)] };
    if (keyword === 'const' && stated === false)
      return { codes: table.notAllowed, pointers: [here, joinPointer('', ...path.slice(0, -1))] };
    if (isEmptying(keyword, stated)) return { codes: table.notAllowed, pointers: [here] };
    if (keyword === 'required') return { codes: table.missing, pointers: [joinPointer(here, name!)] };
    if (keyword === 'type' && value === null) return { codes: table.null, pointers: [here] };
  }
  const rule = table.byKeyword.get(keyword === 'format' && BYTE_FORMAT.test(String(stated)) ? 'x-max-bytes' : keyword);
  const codes = rule && [rule.code];
  const ownName = rule?.place === 'property' ? name : undefined;
  if (ownName !== undefined) return { codes, pointers: [joinPointer(here, ownName)] };
  // A rule on the names of properties.
  if (name !== undefined) return { codes, pointers: [here, joinPointer(here, name)] };
  if (rule?.place === 'list or second item')
    return { codes, pointers: [here, ...repeatsIn(value as unknown[]).map((index) => joinPointer(here, index))] };
  return { codes, pointers: [here] };
}

/** Whether a keyword stands below a `then` or `else`. */
function isConditional(pointer: string): boolean {
  const segments = parsePointer(pointer);
  return segments.some(
    (segment, index) => (segment === 'then' || segment === 'else') && segments[index - 1] !== 'properties',
  );
}

function mustBeFalse(contract: Contract, { pointer, name }: SchemaError): boolean {
  const holder = pointer.slice(0, pointer.lastIndexOf('/'));
  return valueAt(contract.document, joinPointer(`${holder}/properties`, name!, 'const')) === false;
}

function isEmptying(keyword: string, stated: unknown): boolean {
  if (keyword === 'type') return stated === 'null';
  if (keyword === 'const') return stated === null;
  return ['maxItems', 'maxLength', 'maxProperties'].includes(keyword) && stated === 0;
}

function repeatsIn(list: readonly unknown[]): number[] {
  const texts = list.map((item) => JSON.stringify(item));
  return texts.flatMap((text, index) => (texts.indexOf(text) < index ? [index] : []));
}
