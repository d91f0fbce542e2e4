/**
 * Values of parameters. That of a scalar one is a raw text, as it is in a URL before percent-encoding: a parameter has no
 * JSON types, so a text stands for the number or boolean that it spells, and for itself otherwise. A list or an
 * object is sent only as far as the parameter can carry it: reading it again must give the same value.
 */
import * as fc from 'fast-check';
import { type Clause, clausesOf } from '../contract/clauses.ts';
import type { Hints } from '../contract/hints.ts';
import { impliedClauses, named } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import type { Parameter } from '../contract/operations.ts';
import { joinPointer, objectAt } from '../contract/pointers.ts';
import { shapeAt, shapeOf, type Shape, spelled } from '../contract/shape.ts';
import { boundariesOf } from './boundaries.ts';
import type { Case } from './build.ts';
import { accepted, exists } from './filter.ts';
import { numbersBeyond } from './numbers.ts';
import { remembered, validValues, withoutKnown } from './valid.ts';
import { proveBreaksOnly, violationsOf } from './violations.ts';

/** Its clause has an `id` that begins with the name of the parameter: `limit.maximum`. */
export interface ParameterCase extends Case {
  /** Raw texts, to be percent-encoded. */
  value: fc.Arbitrary<string>;
  /** Some readers take it for a value of the type. */
  lenient?: boolean;
}

/** Whether the value of a parameter is a list or an object. */
export function isStructured(contract: Contract, { pointer }: Parameter): boolean {
  const { types } = shapeOf(contract, joinPointer(pointer, 'schema'));
  return (types.has('array') || types.has('object')) && !types.has('string');
}

/** Values that the parameter allows. */
export function valuesOf(contract: Contract, parameter: Parameter, hints?: Hints): fc.Arbitrary<unknown> {
  const values = validValues(contract, joinPointer(parameter.pointer, 'schema'), hints);
  return accepted(values, `value for the parameter ${parameter.name}`, (value) => carries(contract, parameter, value));
}

/** Lists or objects that lie exactly on a limit of the parameter, and so must be accepted. */
export function limitsOf(contract: Contract, parameter: Parameter, hints?: Hints): Case[] {
  return sendable(contract, parameter, boundariesOf(contract, joinPointer(parameter.pointer, 'schema'), hints));
}

/** Lists or objects that break exactly one clause of the parameter. */
export function wrongValuesOf(contract: Contract, parameter: Parameter, hints?: Hints): Case[] {
  return sendable(contract, parameter, violationsOf(contract, joinPointer(parameter.pointer, 'schema'), hints));
}

/** The clauses of a list or an object that can be broken: everything in it is a text, and itself is there. */
export function structuredClauses(contract: Contract, parameter: Parameter): Clause[] {
  const schema = joinPointer(parameter.pointer, 'schema');
  const implied = new Set(impliedClauses(contract, schema).map(({ clause }) => clause.id));
  const isText = (clause: Clause) => shapeAt(shapeOf(contract, schema), clause.path)?.types.has('string');
  return clausesOf(contract, schema)
    .filter((clause) => !implied.has(clause.id) && !(clause.keyword === 'minItems' && clause.schema['minItems'] === 1))
    .filter((clause) => clause.keyword !== 'type' || (clause.path.length > 0 && !isText(clause)))
    .map((clause) => named(clause, parameter.name));
}

function sendable(contract: Contract, parameter: Parameter, cases: readonly Case[]): Case[] {
  return cases.flatMap(({ clause, label, value }) => {
    const carried = accepted(value, `value that ${parameter.name} can carry`, (one) =>
      carries(contract, parameter, one),
    );
    return exists(carried) ? [{ clause: named(clause, parameter.name), label, value: carried }] : [];
  });
}

/** Visible ASCII without what ends a value in a header or cookie. */
const PLAIN = /^[!#-+\--:<-[\]-~]+$/;

function carries(contract: Contract, { pointer, in: place }: Parameter, value: unknown): boolean {
  const shape = shapeOf(contract, joinPointer(pointer, 'schema'));
  const isText = (text: string) => text.isWellFormed() && (place === 'query' || PLAIN.test(text));
  const same = (of: Shape | undefined, one: unknown) =>
    ['string', 'number', 'boolean'].includes(typeof one) &&
    isText(String(one)) &&
    (of === undefined || Object.is(spelled(of, String(one)), one));
  if (Array.isArray(value)) return value.length > 0 && value.every((item) => same(shape.items, item));
  if (typeof value !== 'object' || value === null) return same(shape, value);
  const entries = Object.entries(value);
  return (
    entries.length > 0 &&
    entries.every(([name, one]) => /^[\w-]+$/.test(name) && same(shape.properties.get(name) ?? shape.additional, one))
  );
}

/** Raw texts that lie exactly on a limit of the parameter, and so must be accepted. */
export const parameterBoundaries = remembered((build, parameterPointer): readonly ParameterCase[] => {
  const { contract, hints } = withoutKnown(build);
  const { name, schema, isSendable } = parameterAt(contract, parameterPointer);
  return boundariesOf(contract, schema, hints).map(({ clause, label, value }) => ({
    clause: named(clause, name),
    label,
    value: accepted(value.map(String), `text on the limit of ${clause.id}`, isSendable),
  }));
});

/**
 * Raw texts that break exactly one clause of the parameter, each proved. In a path, none is empty, `.` or `..`, and
 * none holds a slash, which many services treat as one even when it is encoded; nowhere is there a lone surrogate.
 */
export const parameterViolations = remembered((build, parameterPointer): readonly ParameterCase[] => {
  const { contract, hints } = withoutKnown(build);
  const { name, schema, isSendable } = parameterAt(contract, parameterPointer);
  const shape = shapeOf(contract, schema);
  const types = clausesOf(contract, schema).filter(({ keyword }) => keyword === 'type');
  // Each by itself: a lenient reader falls for one of them, and not for others of its kind.
  const misspelt = types.flatMap((clause) =>
    misspellings(shape).flatMap(([label, raws, lenient = false]) =>
      raws.map((raw) => ({ clause, label: `${label}: ${JSON.stringify(raw)}`, value: fc.constant(raw), lenient })),
    ),
  );
  const written = ({ keyword, schema: { maximum } }: Clause) =>
    keyword === 'pattern' ? ODD_TEXTS : keyword === 'maximum' ? numbersBeyond(keyword, maximum as number) : [];
  const odd = clausesOf(contract, schema).flatMap((clause) =>
    written(clause)
      // A long target may be refused as such.
      .filter((raw) => raw.length <= 300)
      .map((raw) => ({ clause, label: `odd: ${JSON.stringify(raw)}`, value: fc.constant(raw) })),
  );
  const others = violationsOf(contract, schema, hints)
    .filter(({ clause }) => clause.keyword !== 'type')
    .map((one) => ({ ...one, value: one.value.map(String) }));
  return [...misspelt, ...odd, ...others]
    .map((one) => ({
      ...one,
      clause: named(one.clause, name),
      value: accepted(
        one.value,
        `text that breaks only ${name}.${one.clause.id} (${one.label})`,
        (raw) => isSendable(raw) && proveBreaksOnly(contract, schema, one.clause, spelled(shape, raw)),
      ),
    }))
    .filter(({ value }) => exists(value));
});

/** What other languages take for more than a text: C, SQL, shells, templates, paths, JSON in Base64. */
export const ODD_TEXTS = [
  ...['\u0000', 'a\u0000b', "'", '"', '\\', '%', '%00', '%s%n%x', '${7*7}', '{0}', "' OR 1=1 --", '../a', '\r\nX-A: b'],
  ...['\u{1f600}', '-1', ...['null', '5', '{}', '{"id":null}'].map((json) => Buffer.from(json).toString('base64'))],
];

/** Texts that a lenient reader takes for a number or a boolean; `lenient`: readers of common languages are among them. */
function misspellings(shape: Shape): [label: string, raws: [string, ...string[]], lenient?: true][] {
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
  if (!shape.types.has('boolean')) return [];
  return [
    ['a word', ['yes', '1', '0', 'TRUE', 'on', ''], true],
    ['another word', ['perhaps']],
  ];
}

function parameterAt(contract: Contract, pointer: string) {
  const { name, in: place } = objectAt(contract.document, pointer);
  const isPlain = (raw: string) => !(place === 'header' || place === 'cookie') || PLAIN.test(raw);
  const isSegment = (raw: string) => place !== 'path' || !(/^\.{0,2}$/.test(raw) || raw.includes('/'));
  return {
    name: String(name),
    schema: joinPointer(pointer, 'schema'),
    isSendable: (raw: string) => raw.isWellFormed() && isPlain(raw) && isSegment(raw),
  };
}
