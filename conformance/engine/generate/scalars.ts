/**
 * Parameters of paths and queries: raw texts, as they stand in a URL before percent-encoding. A parameter has no JSON
 * types, so a text stands for the number or boolean that it spells, and for itself otherwise.
 */
import * as fc from 'fast-check';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import { named } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import { joinPointer, objectAt } from '../contract/pointers.ts';
import { shapeOf, spelled, type Shape } from '../contract/shape.ts';
import { boundariesOf } from './boundaries.ts';
import type { Hints } from '../contract/hints.ts';
import { accepted, exists } from './filter.ts';
import { remembered, withoutKnown } from './memo.ts';
import { proveBreaksOnly, violationsOf } from './violations.ts';
import { validValues } from './valid.ts';

export interface ParameterCase {
  /** Its `id` begins with the name of the parameter: `limit.maximum`. */
  clause: Clause;
  label: string;
  /** Raw texts, to be percent-encoded. */
  value: fc.Arbitrary<string>;
  /** Some readers take it for a value of the type. */
  lenient?: boolean;
}

/** Raw texts that the parameter allows. */
export function parameterValues(contract: Contract, parameterPointer: string, hints?: Hints): fc.Arbitrary<string> {
  const { schema, sendable } = parameterAt(contract, parameterPointer);
  return accepted(validValues(contract, schema, hints).map(String), `text for ${parameterPointer}`, sendable);
}

/** Raw texts that lie exactly on a limit of the parameter, and so must be accepted. */
export function parameterBoundaries(
  contract: Contract,
  parameterPointer: string,
  hints?: Hints,
): readonly ParameterCase[] {
  return boundaries(contract, parameterPointer, hints);
}

const boundaries = remembered((build, parameterPointer): readonly ParameterCase[] => {
  const { contract, hints } = withoutKnown(build);
  const { name, schema, sendable } = parameterAt(contract, parameterPointer);
  return boundariesOf(contract, schema, hints).map(({ clause, label, value }) => ({
    clause: named(clause, name),
    label,
    value: accepted(value.map(String), `text on the limit of ${clause.id}`, sendable),
  }));
});

/**
 * Raw texts that break exactly one clause of the parameter, each proved. In a path, none is empty, `.` or `..`, and
 * none holds a slash, which many services treat as one even when it is encoded; nowhere is there a lone surrogate.
 */
export function parameterViolations(
  contract: Contract,
  parameterPointer: string,
  hints?: Hints,
): readonly ParameterCase[] {
  return violations(contract, parameterPointer, hints);
}

const violations = remembered((build, parameterPointer): readonly ParameterCase[] => {
  const { contract, hints } = withoutKnown(build);
  const { name, schema, shape, sendable } = parameterAt(contract, parameterPointer);
  const proved = ({ clause, label, value, lenient }: ParameterCase): ParameterCase => ({
    clause: named(clause, name),
    label,
    ...(lenient === undefined ? {} : { lenient }),
    value: accepted(
      value,
      `text that breaks only ${name}.${clause.id} (${label})`,
      (raw) => sendable(raw) && proveBreaksOnly(contract, schema, clause, spelled(shape, raw)),
    ),
  });
  const types = clausesOf(contract, schema).filter(({ keyword }) => keyword === 'type');
  // Each by itself: a lenient reader falls for one of them, and not for others of its kind.
  const misspelt = types.flatMap((clause) =>
    misspellings(shape).flatMap(([label, raws, lenient = false]) =>
      raws.map((raw) => ({ clause, label: `${label}: ${JSON.stringify(raw)}`, value: fc.constant(raw), lenient })),
    ),
  );
  const others = violationsOf(contract, schema, hints)
    .filter(({ clause }) => clause.keyword !== 'type')
    .map(({ clause, label, value }) => ({ clause, label, value: value.map(String) }));
  return [...misspelt, ...others].map(proved).filter(({ value }) => exists(value));
});

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
  if (shape.types.has('boolean'))
    return [
      ['a word', ['yes', '1', '0', 'TRUE', 'on', ''], true],
      ['another word', ['perhaps']],
    ];
  return [];
}

/** In a header or cookie: visible ASCII without what ends a value. */
export const PLAIN = /^[!#-+\--:<-[\]-~]+$/;

interface ParameterPlace {
  name: string;
  schema: string;
  shape: Shape;
  sendable: (raw: string) => boolean;
}

function parameterAt(contract: Contract, pointer: string): ParameterPlace {
  const parameter = objectAt(contract.document, pointer);
  const schema = joinPointer(pointer, 'schema');
  const inPath = parameter['in'] === 'path';
  const inHeader = parameter['in'] === 'header' || parameter['in'] === 'cookie';
  return {
    name: String(parameter['name']),
    schema,
    shape: shapeOf(contract, schema),
    sendable: (raw) =>
      raw.isWellFormed() &&
      (!inHeader || PLAIN.test(raw)) &&
      !(inPath && (raw === '' || raw === '.' || raw === '..' || raw.includes('/'))),
  };
}
