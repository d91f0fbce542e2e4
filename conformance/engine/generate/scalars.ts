/**
 * Parameters of paths and queries: raw texts, as they stand in a URL before percent-encoding. A parameter has no JSON
 * types, so a text stands for the number or boolean that it spells, and for itself otherwise.
 */
import * as fc from 'fast-check';
import { clausesOf, type Clause } from '../contract/clauses.ts';
import { named } from '../contract/implied.ts';
import type { Contract } from '../contract/load.ts';
import { joinPointer, objectAt } from '../contract/pointers.ts';
import { shapeOf, type Shape } from '../contract/shape.ts';
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
  const proved = ({ clause, label, value }: ParameterCase): ParameterCase => ({
    clause: named(clause, name),
    label,
    value: accepted(
      value,
      `text that breaks only ${name}.${clause.id} (${label})`,
      (raw) => sendable(raw) && proveBreaksOnly(contract, schema, clause, spelled(shape, raw)),
    ),
  });
  const types = clausesOf(contract, schema).filter(({ keyword }) => keyword === 'type');
  // Each by itself: a lenient reader falls for one of them, and not for others of its kind.
  const misspelt = types.flatMap((clause) =>
    misspellings(shape).flatMap(([label, raws]) =>
      raws.map((raw) => ({ clause, label: `${label}: ${JSON.stringify(raw)}`, value: fc.constant(raw) })),
    ),
  );
  const others = violationsOf(contract, schema, hints)
    .filter(({ clause }) => clause.keyword !== 'type')
    .map(({ clause, label, value }) => ({ clause, label, value: value.map(String) }));
  return [...misspelt, ...others].map(proved).filter(({ value }) => exists(value));
});

/** The JSON value that a raw text stands for, by the types that the schema allows. */
function spelled(shape: Shape, raw: string): unknown {
  if (shape.types.has('string')) return raw;
  if (shape.types.has('integer') && /^-?(0|[1-9]\d*)$/.test(raw)) return Number(raw);
  if (shape.types.has('number') && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(raw)) return Number(raw);
  if (shape.types.has('boolean') && /^(true|false)$/.test(raw)) return raw === 'true';
  return raw;
}

/** Texts that a lenient reader takes for a number or a boolean. */
function misspellings(shape: Shape): [string, [string, ...string[]]][] {
  if (shape.types.has('integer')) {
    return [
      ['an empty text', ['']],
      ['a word', ['abc', 'null', 'NaN', 'Infinity', 'true', 'ten']],
      ['a fraction', ['1.5', '0.5', '.5', '10,5']],
      ['an exponent', ['1e1', '1E1', '1e+1']],
      ['another base', ['0x10', '0b1', '0o7', 'ff']],
      ['a plus sign', ['+1', '+10']],
      ['a leading zero', ['01', '010', '00']],
      ['white space', [' 5', '5 ', '\t5', '5\n', ' ']],
      ['something behind it', ['5a', '5;', '10,20', '5 6', '5_0', '1-']],
      ['digits beyond ASCII', ['１０', '٥', '²']],
      ['brackets', ['[5]', '{}', '"5"']],
    ];
  }
  if (shape.types.has('boolean')) return [['a word', ['yes', '1', '0', 'TRUE', 'on', '']]];
  return [];
}

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
  return {
    name: String(parameter['name']),
    schema,
    shape: shapeOf(contract, schema),
    sendable: (raw) =>
      raw.isWellFormed() && !(inPath && (raw === '' || raw === '.' || raw === '..' || raw.includes('/'))),
  };
}
