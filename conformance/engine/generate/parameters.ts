/** Values of parameters: raw texts, as before percent-encoding, or lists and objects that read the same again. */
import * as fc from 'fast-check';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { isStructured, withParameter } from '../contract/parameter-clauses.ts';
import type { Contract } from '../contract/load.ts';
import type { Parameter } from '../contract/operations.ts';
import { objectAt, parameterSchema } from '../contract/pointers.ts';
import { schemasOf } from '../contract/schemas.ts';
import { type Shape, shapeOf, withoutNull } from '../contract/shape.ts';
import { isDoubtful, spelled } from '../contract/spelling.ts';
import { typeOf } from '../contract/json-types.ts';
import { boundariesOf, proveBreaksOnly, violationsOf } from './cases.ts';
import type { Case } from './build.ts';
import { accepted, exists } from './filter.ts';
import { numbersBeyond } from './numbers.ts';
import { remembered, validValues, withoutKnown } from './valid.ts';

/** Its clause has an `id` that begins with the name of the parameter: `limit.maximum`. A text is raw. */
export interface ParameterCase extends Case {
  /** Some readers take it for a value of the type. */
  lenient?: boolean;
}

export function valuesOf(
  contract: Contract,
  { name, pointer }: Parameter,
  hints?: Hints,
): fc.Arbitrary<unknown> {
  const { schema, carries } = parameterAt(contract, pointer);
  return accepted(validValues(contract, schema, hints), `value for the parameter ${name}`, carries);
}

/** Raw texts, lists or objects that lie exactly on a limit of the parameter, and so must be accepted. */
export const parameterBoundaries = remembered(
  (build, parameterPointer): readonly ParameterCase[] => {
    const { contract, hints } = withoutKnown(build);
    const { schema, sendable } = parameterAt(contract, parameterPointer);
    return boundariesOf(contract, schema, hints).flatMap((one) => sendable(one));
  },
);

/** Raw texts, lists or objects that break exactly one clause of the parameter, each proved. */
export const parameterViolations = remembered(
  (build, parameterPointer): readonly ParameterCase[] => {
    const { contract, hints } = withoutKnown(build);
    const { schema, shape, sendable } = parameterAt(contract, parameterPointer);
    // Each by itself: a lenient reader falls for one of them, and not for others of its kind.
    const written = clausesOf(contract, schema).flatMap((clause) =>
      misspellings(shape, clause).flatMap(([label, raws, lenient = false]) =>
        raws.map((raw) => ({
          clause,
          label: `${label}: ${JSON.stringify(raw)}`,
          value: fc.constant(raw),
          lenient,
        })),
      ),
    );
    const isOther = ({ clause: { keyword, path } }: Case) => keyword !== 'type' || path.length > 0;
    const others = violationsOf(contract, schema, hints).filter(isOther);
    return [...written, ...others].flatMap((one) =>
      sendable(one, (value) => proveBreaksOnly(contract, schema, one.clause, value)),
    );
  },
);

/** What other languages take for more than a text: C, SQL, shells, templates, paths, JSON in Base64. */
export const ODD_TEXTS = [
  '\u0000',
  'a\u0000b',
  "'",
  '"',
  '\\',
  '%',
  '%00',
  '%s%n%x',
  '${7*7}',
  '{0}',
  "' OR 1=1 --",
  '../a',
  '\r\nX-A: b',
  '\u{1f600}',
  '-1',
  ...['null', '5', '{}', '{"id":null}'].map((json) => Buffer.from(json).toString('base64')),
];

type Misspelling = [label: string, raws: readonly string[], lenient?: true];

/** Texts that a reader may take for a value of the type, and odd ones. `lenient`: readers of common languages do. */
function misspellings(shape: Shape, { keyword, path, schema }: Clause): Misspelling[] {
  if (path.length > 0) {
    return [];
  }
  if (keyword === 'pattern') {
    return [['odd', ODD_TEXTS]];
  }
  // A long target may be refused as such.
  const isShort = (number: string) => number.length <= 300;
  if (keyword === 'maximum') {
    return [['odd', numbersBeyond(keyword, schema[keyword] as number).filter(isShort)]];
  }
  if (keyword !== 'type') {
    return [];
  }
  if (shape.types.has('integer')) {
    return [
      ['an empty text', [''], true],
      ['a word', ['abc', 'null', 'NaN', 'Infinity', 'true', 'ten']],
      ['a fraction', ['1.5', '0.5', '.5', '10,5']],
      ['an exponent', ['1e1', '1E1', '1e+1'], true],
      ['another base', ['0x10', '0b1', '0o7', 'ff'], true],
      ['a plus sign', ['+1', '+10'], true],
      ['a leading zero', ['01', '010', '00'], true],
      ['white space', [' 5', '5 ', '\t5', '5\n', ' '], true],
      ['something behind it', ['5a', '5;', '10,20', '5 6', '1-']],
      ['an underscore', ['5_0'], true],
      ['digits beyond ASCII', ['１０', '٥', '²'], true],
      ['brackets', ['[5]', '{}', '"5"']],
    ];
  }
  if (!shape.types.has('boolean')) {
    return [];
  }
  return [
    ['a word', ['yes', '1', '0', 'TRUE', 'on', ''], true],
    ['another word', ['perhaps']],
  ];
}

/** Visible ASCII without what ends a value in a header or cookie. */
const PLAIN = /^[!#-+\--:<-[\]-~]+$/;

/** The parameter at the pointer: its schema, and the part of what is generated from it that can be sent. */
function parameterAt(contract: Contract, pointer: string) {
  const { name, in: place, allowEmptyValue } = objectAt(contract.document, pointer);
  const allowsEmpty = place === 'query' && allowEmptyValue === true;
  const { schema, inJson } = parameterSchema(contract.document, pointer);
  const declared = shapeOf(contract, schema);
  const shape = withoutNull(contract, declared);
  const { isValid } = schemasOf(contract);
  // Only JSON has null: some readers take a text for it.
  const isOpen = (text: string) =>
    (allowsEmpty && text === '') ||
    (/^(null|)$/i.test(text) && isValid(schema, null)) ||
    (shape !== declared && isDoubtful(shape, text));
  // Many services treat a slash in a path as one even when it is encoded.
  const isSendable = (text: string) =>
    text.isWellFormed() &&
    (!(place === 'header' || place === 'cookie') || PLAIN.test(text)) &&
    (place !== 'path' || !(/^\.{0,2}$/.test(text) || text.includes('/')));
  /** Whether reading it again gives the same value. */
  const carries = (value: unknown) => {
    if (inJson) {
      return isSendable(JSON.stringify(value));
    }
    // A list has one item, or an object none, where another type is sent.
    if (!shape.types.has(typeOf(value))) {
      return false;
    }
    const isSame = (of: Shape | undefined, one: unknown) =>
      ['string', 'number', 'boolean'].includes(typeof one) &&
      isSendable(String(one)) &&
      (of === undefined || Object.is(spelled(of, String(one)), one));
    if (typeof value !== 'object' || value === null) {
      return isSame(shape, value);
    }
    const entries = Object.entries(value);
    const childOf = (key: string) => {
      if (Array.isArray(value)) {
        return shape.items;
      }
      return shape.properties.get(key) ?? shape.additional;
    };
    return (
      entries.length > 0 &&
      entries.every(([key, one]) => /^[\w-]+$/.test(key) && isSame(childOf(key), one))
    );
  };
  const isText = !inJson && !isStructured(shape);
  /** @param breaks whether a value breaks the clause, and nothing else; undefined for valid values */
  const sendable = (one: ParameterCase, breaks?: (value: unknown) => boolean): ParameterCase[] => {
    const proves = breaks ?? ((value: unknown) => isValid(schema, value));
    const clause = withParameter(one.clause, String(name));
    const isRight = (sent: unknown) => {
      if (
        breaks &&
        [sent].flat().some((item) => typeof item !== 'object' && isOpen(String(item)))
      ) {
        return false;
      }
      if (!isText) {
        return carries(sent) && proves(sent);
      }
      // Null has no text.
      return sent !== null && isSendable(sent as string) && proves(spelled(shape, sent as string));
    };
    const made = isText
      ? one.value.map((value) => (value === null ? value : String(value)))
      : one.value;
    const value = accepted(made, `value of ${clause.id} (${one.label}) that can be sent`, isRight);
    return exists(value) ? [{ ...one, clause, value }] : [];
  };
  return { schema, shape, carries, sendable };
}
