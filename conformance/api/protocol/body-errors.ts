/**
 * The errors that a body has by the contract: which code and which place follow from the schema keyword that is broken is
 * read from the table under "### Field errors" in `info.description`. A contract without that heading says nothing about
 * them; a table that cannot be read is an error, so that no row is passed over.
 */
import { type Clause, clausesOf } from '../../engine/contract/clauses.ts';
import { BYTE_FORMAT } from '../../engine/contract/keywords.ts';
import { type Contract, perContract } from '../../engine/contract/load.ts';
import { isObject, joinPointer, valueAt } from '../../engine/contract/pointers.ts';
import { schemasOf, type SchemaError } from '../../engine/contract/schemas.ts';

/** One entry of `errors` that a service may report: any of the codes at any of the places. */
export interface FieldErrorRule {
  /** Undefined where the contract gives no code for the keyword. */
  codes: readonly string[] | undefined;
  /** JSON Pointers into the body. */
  pointers: readonly string[];
  /** It may be reported beside the error, at these places and below them, but need not be. */
  beside?: true;
  /** JSON Pointer into the contract of the keyword that is broken. */
  clause: string;
}

interface FieldErrorTable {
  byKeyword: Map<string, { code: string; place: string }>;
  /** Codes of a property that a `then` or `else` asks for: first where it is missing, and all where it is null. */
  required: readonly string[];
  /** Codes of a property that a `then` or `else` wants to be null, false or empty. */
  notAllowed: readonly string[];
}

/** Places as the table names them: the broken value itself, and others. */
const VALUES = ['the value', 'the text', 'the number', 'the list', 'the object'];
const SECOND_ITEM = 'the list, or the second of the two items';
const PROPERTIES = ['where the property would stand', 'the property'];
const PLACES = [...VALUES, SECOND_ITEM, ...PROPERTIES, 'the property, or the object'];

const HEADING = '### Field errors';
const HEAD = '| keyword | code | place |';

/** Undefined for a contract that has no such table. @throws Error for one that cannot be read */
export const fieldErrorTable = perContract(({ document }) =>
  parseFieldErrorTable(String(valueAt(document, '/info/description'))),
);

/** @throws Error that shows the row which cannot be read */
export function parseFieldErrorTable(description: string): FieldErrorTable | undefined {
  const section = new RegExp(`^${HEADING}$`, 'm').exec(description);
  if (!section) return undefined;
  const [text = ''] = description.slice(section.index + HEADING.length).split(/^#/m);
  const [head, , ...rows] = text.match(/^\|.*\|$/gm) ?? [];
  if (head !== HEAD) throw new Error(`"${HEADING}" in the contract has no table of keyword, code and place`);
  const byKeyword: FieldErrorTable['byKeyword'] = new Map();
  const conditional = new Map<string, readonly string[]>();
  for (const row of rows) {
    const [, keyword = '', code = '', place = ''] = /^\| (.+) \| (.+) \| (.+) \|$/.exec(row) ?? [];
    const [keywords, codes] = [keyword, code].map((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, one]) => one!));
    const [, condition] = /^`then`, `else`: (.+)$/.exec(keyword) ?? [];
    // The names of properties have the codes of any text.
    if (keyword === '`propertyNames`' && code === 'as for a text') continue;
    const isList = [keyword, code].every((cell) => /^`[\w-]+`(, `[\w-]+`)*$/.test(cell));
    const isComplete = condition !== undefined || (isList && [1, keywords!.length].includes(codes!.length));
    if (!PLACES.includes(place) || codes!.length === 0 || !isComplete)
      throw new Error(`a row of "${HEADING}" in the contract cannot be read: ${row}`);
    if (condition !== undefined) conditional.set(condition, codes!);
    else
      for (const [index, one] of keywords!.entries()) byKeyword.set(one, { code: codes![index] ?? codes![0]!, place });
  }
  const required = conditional.get('a property is missing or null');
  const notAllowed = conditional.get('a property must be null, false or empty');
  if (!required || !notAllowed || conditional.size !== 2)
    throw new Error(`"${HEADING}" in the contract lacks the two rows for \`then\` and \`else\``);
  return { byKeyword, required, notAllowed };
}

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
      ...rulesFor(contract, table, error, body).map((rule) => ({ ...rule, clause: error.pointer })),
      ...besideWrongValue(contract, table, pointer, error, body),
    ]);
}

/**
 * A rule that binds properties together may or may not be reported for the others beside a wrong value: in
 * `{"github": 1, "gitlab": {}}`, a service may count one provider or two.
 */
function besideWrongValue(
  contract: Contract,
  { byKeyword, ...table }: FieldErrorTable,
  pointer: string,
  { path, keyword, pointer: clause }: SchemaError,
  body: unknown,
): FieldErrorRule[] {
  if (!VALUES.includes(byKeyword.get(keyword)?.place ?? '')) return [];
  const bound = clausesOf(contract, pointer).filter(
    (one) =>
      one.keyword === 'if' &&
      one.path.length < path.length &&
      one.path.every((segment, index) => segment === '*' || segment === path[index]),
  );
  return bound.flatMap((one): FieldErrorRule[] => {
    const around = path.slice(0, one.path.length);
    const names = boundBy(one.schema);
    const [own, ...inside] = path.slice(one.path.length);
    if (!names.delete(own!)) return [];
    const pointers = [...names].map((name) => joinPointer('', ...around, name));
    const common = { beside: true, clause } as const;
    const tooFew = byKeyword.get('minProperties')?.code;
    const isCounted = tooFew !== undefined && isObject(one.schema['then']) && 'minProperties' in one.schema['then'];
    // A value of another type, where no value is allowed, breaks both rules.
    const isForbidden =
      inside.length === 0 &&
      !isConditional(clause) &&
      forbids(contract, one, own!, valueAt(body, joinPointer('', ...around)));
    return [
      ...(isForbidden ? [{ codes: table.notAllowed, pointers: [joinPointer('', ...path)], clause: one.pointer }] : []),
      { ...common, codes: [...table.required, ...table.notAllowed], pointers },
      ...(isCounted ? [{ ...common, codes: [tooFew], pointers: [joinPointer('', ...around)] }] : []),
    ];
  });
}

/** Whether this branch applies to the object, and wants the property to be null, false, empty or disabled. */
function forbids(contract: Contract, { pointer, name }: Clause, property: string, object: unknown): boolean {
  const isMet = schemasOf(contract).isValid(pointer.replace(/(then|else)$/, 'if'), object);
  return isMet === (name === 'then') && isOff(valueAt(contract.document, joinPointer(pointer, 'properties', property)));
}

function isOff(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const isEmpty = Object.entries(schema).some(([keyword, stated]) => isEmptying(keyword, stated));
  return isEmpty || schema['const'] === false || Object.values(schema['properties'] ?? {}).some(isOff);
}

/** The properties that an `if` and its branches speak of. */
function boundBy(schema: Record<string, unknown>): Set<string | number> {
  const parts = ['if', 'then', 'else'].map((keyword) => schema[keyword]).filter(isObject);
  const named = parts.map(({ properties }) => Object.keys(properties ?? {}));
  const required = parts.map((part) => (part['required'] ?? []) as string[]);
  return new Set([...named, ...required].flat());
}

function rulesFor(
  contract: Contract,
  table: FieldErrorTable,
  error: SchemaError,
  body: unknown,
): Omit<FieldErrorRule, 'clause'>[] {
  const { path, keyword, name, pointer } = error;
  const here = joinPointer('', ...path);
  const stated = valueAt(contract.document, pointer);
  const value = path.reduce<unknown>((at, segment) => (at as Record<string, unknown>)[segment], body);
  if (isConditional(pointer)) {
    const { required, notAllowed } = table;
    // Such as `{type: [object, 'null'], required: [enabled], properties: {enabled: {const: false}}}`: null and false are
    // both right, so that the error may be at the property or at the object that holds it. Missing or null, it breaks
    // the row above, too.
    const missing = name === undefined ? [] : [{ codes: required.slice(0, 1), pointers: [joinPointer(here, name)] }];
    const isNull = value === null ? [{ codes: required, pointers: [here] }] : [];
    if (keyword === 'required' && mustBeFalse(contract, error))
      return [{ codes: notAllowed, pointers: [here, joinPointer(here, name!)] }, ...missing];
    if (keyword === 'const' && stated === false)
      return [{ codes: notAllowed, pointers: [here, joinPointer('', ...path.slice(0, -1))] }, ...isNull];
    if (isEmptying(keyword, stated)) return [{ codes: notAllowed, pointers: [here] }];
    if (keyword === 'required') return missing;
    if (keyword === 'type' && value === null) return isNull;
  }
  const rule = table.byKeyword.get(keyword === 'format' && BYTE_FORMAT.test(String(stated)) ? 'x-max-bytes' : keyword);
  const codes = rule && [rule.code];
  // A rule on the names of properties may be reported at the object, too.
  if (name !== undefined)
    return [{ codes, pointers: [...(PROPERTIES.includes(rule?.place ?? '') ? [] : [here]), joinPointer(here, name)] }];
  if (rule?.place === SECOND_ITEM)
    return [{ codes, pointers: [here, ...repeatsIn(value as unknown[]).map((index) => joinPointer(here, index))] }];
  return [{ codes, pointers: [here] }];
}

/** Whether a keyword stands below a `then` or `else`, which may also be names of properties. */
function isConditional(pointer: string): boolean {
  return /(?<!\/properties)\/(then|else)(?=\/|$)/.test(pointer);
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

/** The places of items that equal one before. */
function repeatsIn(list: readonly unknown[]): number[] {
  const texts = list.map((item) => JSON.stringify(item));
  return texts.flatMap((text, index) => (texts.indexOf(text) < index ? [index] : []));
}

/** Errors that no schema can state, which `body` has or may have: only a service reads XML. */
export function errorsBeyondSchema(body: unknown): FieldErrorRule[] {
  const rule = (code: string, ...pointers: string[]) => {
    return { codes: [code], pointers, clause: '/components/schemas/FieldErrorCode' };
  };
  const errors = [...loneSurrogates(body, '')].map((pointer) => rule('unicode', pointer));
  if (!isObject(body)) return errors;
  for (const name of ['request_headers', 'response_headers']) {
    const { add, remove } = isObject(body[name]) ? body[name] : {};
    const folded = (names: unknown[]) => names.map((one) => (typeof one === 'string' ? one.toLowerCase() : one));
    const added = isObject(add) ? Object.keys(add) : [];
    const removed = Array.isArray(remove) ? remove : [];
    const repeated = (member: string, ...at: readonly (string | number)[]) =>
      rule('duplicate', joinPointer('', name, member), ...at.map((one) => joinPointer('', name, member, one)));
    // Names of an object have no order: any of them may be the one too many.
    for (const index of repeatsIn(folded(added)))
      errors.push(repeated('add', ...added.filter((one) => one.toLowerCase() === added[index]!.toLowerCase())));
    errors.push(...repeatsIn(folded(removed)).map((index) => repeated('remove', index)));
  }
  const xml = isObject(body['saml']) ? body['saml']['idp_metadata'] : undefined;
  return typeof xml === 'string' ? [...errors, rule('format', '/saml/idp_metadata')] : errors;
}

/** Places of texts and names that UTF-8 cannot hold. */
function* loneSurrogates(value: unknown, pointer: string): Generator<string> {
  if (typeof value === 'string' && !value.isWellFormed()) yield pointer;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) {
    const at = joinPointer(pointer, name);
    if (!name.isWellFormed()) yield at;
    yield* loneSurrogates(item, at);
  }
}
