/**
 * Checks a value of a body against its kind, and fills in defaults. An error that another one
 * implies is not reported.
 */
import type { Json, ValueKind } from '../../api/modules.ts';
import { FORMS } from './forms.ts';
import { type Errors, step } from './problem.ts';

/**
 * A kind with what the table of modules does not need: texts with a limit in bytes, and other forms
 * and rules.
 */
export interface OwnKind extends Omit<ValueKind, 'of' | 'fields'> {
  /** The most bytes of a text in UTF-8; in place of all other rules of texts. */
  bytes?: number;
  /** A form that is not one of `form`. */
  fits?: (sent: string) => boolean;
  /** No item of a list occurs twice. */
  unique?: boolean;
  of?: OwnKind;
  fields?: Record<string, OwnKind>;
  /** The rules that join the fields of an object. */
  rule?: (members: Members) => BrokenRule[];
}

/**
 * The members of an object. A map, since an object would find `constructor` and the like in its
 * prototype.
 */
export type Members = ReadonlyMap<string, unknown>;

export interface BrokenRule {
  code: string;
  detail: string;
  /** The member that breaks the rule; undefined: the object as a whole. */
  name?: string;
}

/** A default that the contract leaves to the service (D25). */
const OWN_DEFAULTS: Json = { cookie_prefix: 'independent.' };

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

interface JsonType {
  includes: (value: unknown) => boolean;
  /** In words, for a message. */
  name: string;
}

/** JSON has one type for all numbers, so `5.0` is an integer, too. */
const JSON_TYPES: Record<ValueKind['is'], JsonType> = {
  boolean: { includes: (value) => typeof value === 'boolean', name: 'true or false' },
  number: { includes: (value) => typeof value === 'number', name: 'a number' },
  integer: { includes: Number.isInteger, name: 'a number without a fraction' },
  text: { includes: (value) => typeof value === 'string', name: 'a string' },
  list: { includes: Array.isArray, name: 'a list' },
  map: { includes: isObject, name: 'an object' },
  object: { includes: isObject, name: 'an object' },
};

/**
 * @param place the JSON Pointer to the value
 * @returns the value with defaults in it; undefined if it is an error
 */
export function check(kind: OwnKind, value: unknown, place: string, errors: Errors): unknown {
  if (value === null && kind.nullable) {
    return null;
  }
  const type = JSON_TYPES[kind.is];
  if (!type.includes(value)) {
    errors.at(place, 'type', `Only ${type.name} is allowed here.`);
    return undefined;
  }
  switch (kind.is) {
    case 'boolean':
      return value;
    case 'text':
      return checkText(kind, value as string, place, errors);
    case 'list':
      return checkList(kind, value as unknown[], place, errors);
    case 'map':
      return checkMap(kind, value as object, place, errors);
    case 'object':
      return checkObject(kind, value as object, place, errors);
    case 'number':
    case 'integer':
      return checkNumber(kind, value as number, place, errors);
  }
}

function checkNumber(
  { least = 0, most = 0 }: OwnKind,
  value: number,
  place: string,
  errors: Errors,
): number | undefined {
  if (value < least) {
    errors.at(place, 'too_small', `The least is ${least}.`);
    return undefined;
  }
  if (value > most) {
    errors.at(place, 'too_large', `The most is ${most}.`);
    return undefined;
  }
  return value;
}

function checkText(kind: OwnKind, sent: string, place: string, errors: Errors): string | undefined {
  const { bytes, choices } = kind;
  if (bytes !== undefined) {
    if (Buffer.byteLength(sent) <= bytes) {
      return sent;
    }
    errors.at(place, 'too_many_bytes', `In UTF-8 this may take ${bytes} bytes and no more.`);
    return undefined;
  }
  // `reportLoneSurrogates` reports it.
  if (!sent.isWellFormed()) {
    return undefined;
  }
  if (choices) {
    if (choices.includes(sent)) {
      return sent;
    }
    errors.at(place, 'value', `Choose from: ${choices.join(', ')}.`);
    return undefined;
  }
  return checkLengthAndForm(kind, sent, place, errors);
}

function checkLengthAndForm(
  { least = 0, most = Infinity, fits, form }: OwnKind,
  sent: string,
  place: string,
  errors: Errors,
): string | undefined {
  const { length } = Array.from(sent);
  if (length < least) {
    errors.at(place, 'too_short', `The shortest has ${least} character(s).`);
    return undefined;
  }
  const isTooLong = length > most;
  if (isTooLong) {
    errors.at(place, 'too_long', `The longest has ${most} characters.`);
  }
  const hasForm = fits ?? (form && FORMS[form]);
  if (hasForm && !hasForm(sent)) {
    errors.at(place, 'format', 'The text does not have the required form.');
    return undefined;
  }
  return isTooLong ? undefined : sent;
}

/** The kind of the items of a list, or of the values of a map. */
function innerKindOf({ is, of }: OwnKind): OwnKind {
  if (!of) {
    throw new Error(`this kind of ${is} does not say what is in it`);
  }
  return of;
}

const lowerCase = (value: unknown) => (typeof value === 'string' ? value.toLowerCase() : value);

function checkList(kind: OwnKind, sent: unknown[], place: string, errors: Errors): unknown[] {
  const { most = 0, distinct, unique } = kind;
  if (sent.length > most) {
    errors.at(place, 'too_many', `The list may hold ${most} items and no more.`);
  }
  const seen = new Set<unknown>();
  const checked: unknown[] = [];
  for (const [index, item] of sent.entries()) {
    const itemPlace = step(place, index);
    const key = distinct ? lowerCase(item) : item;
    if ((distinct || unique) && seen.has(key)) {
      errors.at(itemPlace, 'duplicate', 'The list holds this item before.');
    }
    seen.add(key);
    checked.push(check(innerKindOf(kind), item, itemPlace, errors));
  }
  return checked;
}

function checkMap(kind: OwnKind, sent: object, place: string, errors: Errors): Json {
  const { most = 0, form } = kind;
  const members = Object.entries(sent);
  if (members.length > most) {
    errors.at(place, 'too_many', `There may be ${most} members and no more.`);
  }
  const nameKind: OwnKind = { is: 'text', least: 1, most: 256 };
  if (form) {
    nameKind.form = form;
  }
  const seen = new Set<unknown>();
  const checked: [string, unknown][] = [];
  for (const [name, value] of members) {
    const memberPlace = step(place, name);
    const key = lowerCase(name);
    if (seen.has(key)) {
      errors.at(memberPlace, 'duplicate', 'This name is there in other letters.');
    }
    seen.add(key);
    checkText(nameKind, name, memberPlace, errors);
    checked.push([name, check(innerKindOf(kind), value, memberPlace, errors)]);
  }
  // An object made from entries has `__proto__` as a member like any other: it is a valid name of a
  // header.
  return Object.fromEntries(checked);
}

function checkObject(kind: OwnKind, sent: object, place: string, errors: Errors): Json {
  const { fields = {}, rule } = kind;
  const members = new Map(Object.entries(sent));
  for (const name of members.keys()) {
    // `reportLoneSurrogates` reports a name that is not well-formed.
    if (!Object.hasOwn(fields, name) && name.isWellFormed()) {
      errors.at(step(place, name), 'unknown', 'Nothing of this name belongs here.');
    }
  }
  for (const { code, detail, name } of rule?.(members) ?? []) {
    errors.at(name === undefined ? place : step(place, name), code, detail);
  }
  const checked: Json = {};
  for (const [name, field] of Object.entries(fields)) {
    const memberPlace = step(place, name);
    const value = members.get(name);
    if (value !== undefined) {
      checked[name] = check(field, value, memberPlace, errors);
      continue;
    }
    if (field.required) {
      errors.at(memberPlace, 'required', 'This has to be given.');
    }
    const ownDefault = defaultOf(name, field);
    if (ownDefault !== undefined) {
      checked[name] = ownDefault;
    }
  }
  return checked;
}

function defaultOf(name: string, kind: OwnKind): unknown {
  return 'default' in kind ? kind.default : OWN_DEFAULTS[name];
}

interface Place {
  value: unknown;
  pointer: string;
}

/**
 * Reports texts and names that are not Unicode. Keeps a stack, since a body may nest deeper than
 * calls can.
 */
export function reportLoneSurrogates(body: unknown, errors: Errors): void {
  const pending: Place[] = [{ value: body, pointer: '' }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value, pointer } = place;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) {
        errors.at(pointer, 'unicode', 'Half of a surrogate pair stands here alone.');
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!name.isWellFormed()) {
          errors.at(pointer, 'unicode', 'A name in here has half of a surrogate pair.');
        }
        pending.push({ value: member, pointer: step(pointer, name) });
      }
    }
  }
}
