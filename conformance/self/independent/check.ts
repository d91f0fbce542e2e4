/**
 * Checks of JSON values against the kinds of the module table. An error that another one implies is not reported twice: a
 * text with a lone surrogate is reported once, and one that is too short cannot have the right form either.
 */
import type { Json, Kind } from '../../api/modules.ts';
import { FORMS } from './forms.ts';
import { BODY, type Errors, type Place, step } from './problem.ts';

/** Beside what the table of modules needs: texts that are limited in bytes, and forms that it does not have. */
export interface OwnKind extends Omit<Kind, 'of' | 'fields'> {
  bytes?: number;
  fits?: (sent: string) => boolean;
  /** Items are compared as they are. */
  unique?: boolean;
  of?: OwnKind;
  fields?: Record<string, OwnKind>;
  /** The rules that join the fields of an object. */
  rule?: (sent: Sent) => Broken[];
}

/** The members of an object. A map, since an object would find `constructor` and the like in its prototype. */
export type Sent = ReadonlyMap<string, unknown>;

/** A rule that an object breaks: by one of its members, or as a whole. */
export type Broken = readonly [code: string, detail: string, name?: string];

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether it is there, and not null. */
export const has = (sent: Sent, name: string): boolean => (sent.get(name) ?? null) !== null;

/** Whether there is a module that acts on traffic: it does unless it says otherwise. */
export function enables(sent: Sent, name: string): boolean {
  const module = sent.get(name);
  return isObject(module) && (!Object.hasOwn(module, 'enabled') || module['enabled'] === true);
}

/** It must be given, and not as null. */
export const insist = (sent: Sent, name: string): Broken[] =>
  has(sent, name) ? [] : [['required', 'This has to be given, and not as null.', name]];

export const forbid = (sent: Sent, name: string, reason: string): Broken[] =>
  has(sent, name) ? [['not_allowed_here', reason, name]] : [];

/** Stands for a field that the contract leaves to the service (D25). */
const OWN_DEFAULTS: Json = { cookie_prefix: 'independent.' };

/** What each kind is in JSON. `5.0` is an integer, too: JSON has one type for all numbers. */
const JSON_TYPES: Record<Kind['is'], [isOne: (value: unknown) => boolean, name: string]> = {
  boolean: [(value) => typeof value === 'boolean', 'true or false'],
  number: [(value) => typeof value === 'number', 'a number'],
  integer: [Number.isInteger, 'a number without a fraction'],
  text: [(value) => typeof value === 'string', 'a string'],
  list: [Array.isArray, 'a list'],
  map: [isObject, 'an object'],
  object: [isObject, 'an object'],
};

/** The value with defaults in it, or undefined where it is an error. */
export function check(kind: OwnKind, value: unknown, place: Place, errors: Errors): unknown {
  if (value === null && kind.nullable) return null;
  const [isOne, name] = JSON_TYPES[kind.is];
  if (!isOne(value)) return errors.at(place, 'type', `Only ${name} is allowed here.`);
  if (kind.is === 'boolean') return value;
  if (kind.is === 'text') return text(kind, value as string, place, errors);
  if (kind.is === 'list') return list(kind, value as unknown[], place, errors);
  if (kind.is === 'map') return map(kind, value as object, place, errors);
  if (kind.is === 'object') return object(kind, value as object, place, errors);
  const { least = 0, most = 0 } = kind;
  if ((value as number) < least) return errors.at(place, 'too_small', `The least is ${least}.`);
  return (value as number) > most ? errors.at(place, 'too_large', `The most is ${most}.`) : value;
}

function text(kind: OwnKind, sent: string, place: Place, errors: Errors): string | undefined {
  const { bytes, choices, least = 0, most = Infinity, form } = kind;
  if (bytes !== undefined) {
    if (Buffer.byteLength(sent) <= bytes) return sent;
    return errors.at(place, 'too_many_bytes', `In UTF-8 this may take ${bytes} bytes and no more.`);
  }
  if (!sent.isWellFormed()) return undefined;
  if (choices) return choices.includes(sent) ? sent : errors.at(place, 'value', `Choose from: ${choices.join(', ')}.`);
  const length = Array.from(sent).length;
  if (length < least) return errors.at(place, 'too_short', `The shortest has ${least} character(s).`);
  if (length > most) errors.at(place, 'too_long', `The longest has ${most} characters.`);
  const fits = kind.fits ?? (form && FORMS[form]);
  if (!fits || fits(sent)) return length > most ? undefined : sent;
  return errors.at(place, 'format', 'The text does not have the required form.');
}

const folded = (one: unknown) => (typeof one === 'string' ? one.toLowerCase() : one);

function list({ of, most = 0, distinct, unique }: OwnKind, sent: unknown[], place: Place, errors: Errors): unknown[] {
  if (sent.length > most) errors.at(place, 'too_many', `The list may hold ${most} items and no more.`);
  const seen = new Set<unknown>();
  return sent.flatMap((one, index) => {
    const here = step(place, index);
    const key = distinct ? folded(one) : one;
    if ((distinct || unique) && seen.has(key)) errors.at(here, 'duplicate', 'The list holds this item before.');
    seen.add(key);
    return check(of!, one, here, errors) ?? [];
  });
}

function map({ of, most = 0, form }: OwnKind, sent: object, place: Place, errors: Errors): Json {
  const entries = Object.entries(sent);
  if (entries.length > most) errors.at(place, 'too_many', `There may be ${most} members and no more.`);
  const seen = new Set<unknown>();
  // An object made from entries has `__proto__` as a member like any other: it is a good name for a header.
  return Object.fromEntries(
    entries.map(([name, content]) => {
      const here = step(place, name);
      if (seen.has(folded(name))) errors.at(here, 'duplicate', 'This name is there in other letters.');
      seen.add(folded(name));
      text({ is: 'text', least: 1, most: 256, ...(form ? { form } : {}) }, name, here, errors);
      return [name, check(of!, content, here, errors) ?? ''];
    }),
  );
}

function object({ fields = {}, rule }: OwnKind, sent: object, place: Place, errors: Errors): Json {
  const members = new Map(Object.entries(sent));
  // A name with a lone surrogate is reported by `refuseLoneSurrogates`.
  const unknown = [...members.keys()].filter((name) => !Object.hasOwn(fields, name) && name.isWellFormed());
  for (const name of unknown) errors.at(step(place, name), 'unknown', 'Nothing of this name belongs here.');
  for (const [code, detail, name] of rule?.(members) ?? [])
    errors.at(name === undefined ? place : step(place, name), code, detail);
  const checked = Object.entries(fields).map(([name, kind]) => {
    const value = members.get(name);
    if (value !== undefined) return [name, check(kind, value, step(place, name), errors)];
    if (kind.required) errors.at(step(place, name), 'required', 'This has to be given.');
    return [name, 'default' in kind ? kind.default : OWN_DEFAULTS[name]];
  });
  return Object.fromEntries(checked.filter(([, value]) => value !== undefined)) as Json;
}

/** Walks with a stack of its own: a body of a megabyte can nest deeper than the call stack. */
export function refuseLoneSurrogates(body: unknown, errors: Errors): void {
  const pending: [unknown, Place][] = [[body, BODY]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [value, place] = next;
    if (typeof value === 'string') {
      if (!value.isWellFormed()) errors.at(place, 'unicode', 'Half of a surrogate pair stands here alone.');
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        if (!name.isWellFormed()) errors.at(place, 'unicode', 'A name in here has half of a surrogate pair.');
        pending.push([member, step(place, name)]);
      }
    }
  }
}
