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
  rule?: (members: Members) => void;
}

/** The members of an object that is checked. */
export class Members {
  readonly sent: ReadonlyMap<string, unknown>;
  readonly #place: Place;
  readonly #errors: Errors;

  constructor(value: object, place: Place, errors: Errors) {
    // A map, since an object would find `constructor` and the like in its prototype.
    this.sent = new Map(Object.entries(value));
    this.#place = place;
    this.#errors = errors;
  }

  /** Whether it is there, and not null. */
  has(name: string): boolean {
    return (this.sent.get(name) ?? null) !== null;
  }

  /** Whether there is a module that acts on traffic: it does unless it says otherwise. */
  enables(name: string): boolean {
    const module = this.sent.get(name);
    if (typeof module !== 'object' || module === null || Array.isArray(module)) return false;
    return !Object.hasOwn(module, 'enabled') || (module as Json)['enabled'] === true;
  }

  /** It must be given, and not as null. */
  insist(name: string): void {
    if (!this.has(name)) this.#errors.at(step(this.#place, name), 'required', 'This has to be given, and not as null.');
  }

  forbid(name: string, reason: string): void {
    if (this.has(name)) this.#errors.at(step(this.#place, name), 'not_allowed_here', reason);
  }

  /** An error of the object as a whole. */
  error(code: string, detail: string): void {
    this.#errors.at(this.#place, code, detail);
  }
}

/** Stands for a field that the contract leaves to the service (D25). */
const OWN_DEFAULTS: Json = { cookie_prefix: 'independent.' };

/** The value with defaults in it, or undefined where it is an error. */
export function check(kind: OwnKind, value: unknown, place: Place, errors: Errors): unknown {
  if (value === null && kind.nullable) return null;
  switch (kind.is) {
    case 'boolean':
      return typeof value === 'boolean' ? value : errors.at(place, 'type', 'Only true or false is allowed here.');
    case 'text':
      return typeof value === 'string'
        ? text(kind, value, place, errors)
        : errors.at(place, 'type', 'Only a string is allowed here.');
    case 'list':
      return Array.isArray(value)
        ? list(kind, value, place, errors)
        : errors.at(place, 'type', 'Only a list is allowed here.');
    case 'map':
    case 'object':
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        return errors.at(place, 'type', 'Only an object is allowed here.');
      return kind.is === 'map' ? map(kind, value, place, errors) : object(kind, value, place, errors);
    default:
      return number(kind, value, place, errors);
  }
}

/** `5.0` is an integer, too: JSON has one type for all numbers. */
function number(
  { is, least = 0, most = 0 }: OwnKind,
  value: unknown,
  place: Place,
  errors: Errors,
): number | undefined {
  if (typeof value !== 'number' || (is === 'integer' && !Number.isInteger(value)))
    return errors.at(place, 'type', `Only a number${is === 'integer' ? ' without a fraction' : ''} is allowed here.`);
  if (value < least) return errors.at(place, 'too_small', `The least is ${least}.`);
  return value > most ? errors.at(place, 'too_large', `The most is ${most}.`) : value;
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
  const members = new Members(sent, place, errors);
  for (const name of members.sent.keys()) {
    // A name with a lone surrogate is reported by `refuseLoneSurrogates`.
    if (Object.hasOwn(fields, name) || !name.isWellFormed()) continue;
    errors.at(step(place, name), 'unknown', 'Nothing of this name belongs here.');
  }
  rule?.(members);
  const checked = Object.entries(fields).map(([name, kind]) => {
    const value = members.sent.get(name);
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
