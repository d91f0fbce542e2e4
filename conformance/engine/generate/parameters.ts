/**
 * Values of parameters: raw texts, as before percent-encoding, or lists and objects that read the
 * same again.
 */
import { isScalar, stringifyJson } from '../contract/json-numbers.ts';
import * as fc from 'fast-check';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { branchesOf } from '../contract/kinds.ts';
import { typeOf } from '../contract/json-types.ts';
import type { Contract } from '../contract/load.ts';
import type { Parameter } from '../contract/operations.ts';
import { isStructured, clauseOfParameter } from '../contract/parameter-clauses.ts';
import { isObject, objectAt, parameterSchema } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { shapeOf, type Shape, withoutNull } from '../contract/shape.ts';
import { isDoubtful, spelled } from '../contract/spelling.ts';
import { boundariesOf } from './boundaries.ts';
import type { ClauseCase } from './build.ts';
import { accepted, exists } from './filter.ts';
import { misspellings } from './misspellings.ts';
import { proveBreaksOnly } from './proof.ts';
import { validValues, whileInUse, withoutKnown } from './valid.ts';
import { violationsOf } from './violations.ts';

export { ODD_TEXTS } from './misspellings.ts';

/**
 * Values of a parameter. The id of the clause begins with the name of the parameter:
 * `limit.maximum`. A text is raw.
 */
export interface ParameterCase extends ClauseCase {
  /** Some readers take the values for values of the type. */
  lenient?: boolean;
}

/** Values that the parameter allows, and that can be sent. */
export function valuesOf(
  contract: Contract,
  { name, pointer }: Parameter,
  hints?: Hints,
): fc.Arbitrary<unknown> {
  const place = placeOf(contract, pointer);
  const values = validValues(contract, place.schema, hints);
  return accepted(values, `value for the parameter ${name}`, (value) => carries(place, value));
}

/**
 * Raw texts, lists or objects that lie exactly on a limit of the parameter, and so must be
 * accepted.
 */
export const parameterBoundaries = whileInUse(
  (build, parameterPointer): readonly ParameterCase[] => {
    const { contract, hints } = withoutKnown(build);
    const place = placeOf(contract, parameterPointer);
    const { isValid } = schemasOf(contract);
    const isRight = (sent: unknown) => isValid(place.schema, valueOf(place, sent));
    return boundariesOf(contract, place.schema, hints).flatMap((one) =>
      sendable(place, one, isRight),
    );
  },
);

/** Raw texts, lists or objects that break exactly one clause of the parameter, each proved. */
export const parameterViolations = whileInUse(
  (build, parameterPointer): readonly ParameterCase[] => {
    const { contract, hints } = withoutKnown(build);
    const place = placeOf(contract, parameterPointer);
    const written = clausesOf(contract, place.schema).flatMap((clause) =>
      misspelledCases(place.shape, clause),
    );
    // The misspellings are those of the type.
    const isOther = ({ clause: { keyword, path } }: ClauseCase) =>
      keyword !== 'type' || path.length > 0;
    const others = violationsOf(contract, place.schema, hints).filter(isOther);
    return [...written, ...others].flatMap((one) =>
      sendable(place, one, (sent) => breaksOnly(place, one.clause, sent)),
    );
  },
);

/** Whether what is sent breaks the clause alone, however it is read. */
function breaksOnly(place: ParameterPlace, clause: Clause, sent: unknown): boolean {
  const items = [sent].flat();
  // Some readers take the text for null, or for another value that is right.
  if (items.some((item) => isOpen(place, item)) || hasRightReading(place, sent)) {
    return false;
  }
  return proveBreaksOnly(place.contract, place.schema, clause, valueOf(place, sent));
}

/**
 * Whether the text is a valid value of another type that the parameter may have, too: `1` is a
 * number, and a list of one.
 */
function hasRightReading(
  { contract, schema, shape, inJson }: ParameterPlace,
  sent: unknown,
): boolean {
  const isUnion = shape.types.size > 1;
  const isHolder = typeof sent === 'object' && !Array.isArray(sent);
  if (inJson || !isUnion || isHolder) {
    return false;
  }
  const texts = [sent].flat().map(String);
  const { isValid } = schemasOf(contract);
  const lists = [texts, texts.map(readAsJson)];
  return lists.some(
    (list) => isValid(schema, list) || (list.length === 1 && isValid(schema, list[0])),
  );
}

/** A number or a boolean that the text writes as JSON does; else the text. */
function readAsJson(text: string): unknown {
  if (text === 'true' || text === 'false') {
    return text === 'true';
  }
  const number = Number(text);
  return String(number) === text ? number : text;
}

/**
 * One case for each text: a lenient reader falls for one of them, and not for others of its kind.
 */
function misspelledCases(shape: Shape, clause: Clause): ParameterCase[] {
  return misspellings(shape, clause).flatMap(({ label, texts, isLenient = false }) =>
    texts.map((text) => ({
      clause,
      label: `${label}: ${stringifyJson(text)}`,
      value: fc.constant(text),
      lenient: isLenient,
    })),
  );
}

/** A parameter, with the facts that decide which of its values can be sent. */
interface ParameterPlace {
  contract: Contract;
  name: string;
  in: unknown;
  /** The pointer of its schema. */
  schema: string;
  /** Whether the value is written as JSON. */
  inJson: boolean;
  /** Whether it is written as a text, not as a list or an object. */
  isText: boolean;
  /** Whether it may be sent without a value. */
  allowsEmpty: boolean;
  /** The shape of a value that is sent. */
  shape: Shape;
  /** Whether the schema has null as an alternative. */
  isNullable: boolean;
  /** Whether objects within it can be written, too. */
  isDeep: boolean;
}

function placeOf(contract: Contract, pointer: string): ParameterPlace {
  const { name, in: place, allowEmptyValue, style } = objectAt(contract.document, pointer);
  const { schema, inJson } = parameterSchema(contract.document, pointer);
  const declared = shapeOf(contract, schema);
  const shape = withoutNull(contract, declared);
  return {
    contract,
    name: String(name),
    in: place,
    schema,
    inJson,
    isText: !inJson && !isStructured(shape),
    allowsEmpty: place === 'query' && allowEmptyValue === true,
    shape,
    isNullable: shape !== declared,
    isDeep: style === 'deepObject',
  };
}

/** The value that is sent, as a service reads it. */
const valueOf = ({ isText, shape }: ParameterPlace, sent: unknown): unknown =>
  isText ? spelled(shape, sent as string) : sent;

/**
 * The values of a case that can be sent, as texts if the parameter is one; empty if nothing is
 * left.
 */
function sendable(
  place: ParameterPlace,
  one: ParameterCase,
  isRight: (sent: unknown) => boolean,
): ParameterCase[] {
  const clause = clauseOfParameter(one.clause, place.name);
  const what = `value of ${clause.id} (${one.label}) that can be sent`;
  let value = one.value;
  if (place.isText) {
    const isText = (sent: unknown) => typeof sent === 'string' && isSendable(place, sent);
    value = accepted(value.map(asText), what, (sent) => isText(sent) && isRight(sent));
  } else {
    value = accepted(value, what, (sent) => carries(place, sent) && isRight(sent));
  }
  if (exists(value)) {
    return [{ ...one, clause, value }];
  }
  return [];
}

/** Null has no text. */
function asText(value: unknown): string | null {
  if (value === null) {
    return null;
  }
  return String(value);
}

/** Visible ASCII without the characters that end a value in a header or cookie. */
const PLAIN = /^[!#-+\--:<-[\]-~]+$/;

/**
 * Whether the text can be sent as it is. Many services treat a slash in a path as one even if it is
 * encoded.
 */
function isSendable({ in: place }: ParameterPlace, text: string): boolean {
  if (!text.isWellFormed()) {
    return false;
  }
  if (place === 'header' || place === 'cookie') {
    return PLAIN.test(text);
  }
  if (place === 'path') {
    return !/^\.{0,2}$/.test(text) && !text.includes('/');
  }
  return true;
}

/** Whether the value can be sent, and reading it gives the same value. */
function carries(place: ParameterPlace, value: unknown): boolean {
  const { inJson, shape } = place;
  if (inJson) {
    return isSendable(place, stringifyJson(value));
  }
  // If another type is sent, readers take it for a list of one item, or for an object without
  // members.
  if (!shape.types.has(typeOf(value))) {
    return false;
  }
  if (typeof value !== 'object' || value === null) {
    return carriesScalar(place, shape, value);
  }
  const entries = Object.entries(value);
  const isCarried = ([key, one]: [string, unknown]) => {
    const children = Array.isArray(value) ? [shape.items] : membersOf(place, key);
    return isSendableName(key) && children.every((child) => carriesPart(place, child, one));
  };
  return entries.length > 0 && entries.every(isCarried);
}

/** Readers of queries and header fields leave `__proto__` out, for their own safety. */
const isSendableName = (name: string): boolean => /^[\w-]+$/.test(name) && name !== '__proto__';

function carriesPart(place: ParameterPlace, shape: Shape | undefined, value: unknown): boolean {
  if (!place.isDeep || !isObject(value)) {
    return carriesScalar(place, shape, value);
  }
  const members = Object.entries(value);
  const isCarried = ([name, one]: [string, unknown]): boolean =>
    isSendableName(name) && carriesPart(place, shape?.property(name), one);
  return members.length > 0 && members.every(isCarried);
}

/** The shapes of a member: its own, or those that branches give it; undefined for none. */
function membersOf(
  { contract, schema, shape }: ParameterPlace,
  name: string,
): (Shape | undefined)[] {
  const own = shape.properties.get(name) ?? shape.additional;
  const inBranches = branchesOf(contract, schema).map((branch) => branch.properties.get(name));
  const known = inBranches.filter((child) => child !== undefined);
  return known.length > 0 ? known : [own];
}

function carriesScalar(place: ParameterPlace, shape: Shape | undefined, value: unknown): boolean {
  if (!isScalar(value)) {
    return false;
  }
  const text = String(value);
  const read = shape === undefined ? value : spelled(shape, text);
  const isSame = Object.is(read, value) || (typeof read === 'bigint' && Number(read) === value);
  return isSame && isSendable(place, text);
}

/** Whether some readers take the item for another value that is valid: only JSON has null. */
function isOpen(place: ParameterPlace, item: unknown): boolean {
  if (typeof item === 'object') {
    return false;
  }
  const text = String(item);
  if (place.allowsEmpty && text === '') {
    return true;
  }
  const isLikeNull = /^(null|)$/i.test(text);
  if (isLikeNull && schemasOf(place.contract).isValid(place.schema, null)) {
    return true;
  }
  return place.isNullable && isDoubtful(place.shape, text);
}
