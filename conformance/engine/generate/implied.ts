/** Why a clause cannot be broken alone. */
import { clausesOf, type Clause } from '../contract/clauses.ts';
import { shapeAt, shapeOf, strictest, texts, type Shape } from '../contract/shape.ts';
import type { Build } from './build.ts';
import { isPatterned } from './fits.ts';
import { BYTE_FORMAT, formatOf } from './formats.ts';
import { textsOfLength } from './strings.ts';

/** The reason in a sentence, or undefined when none is known: then a violation is owed. */
export function reasonOf(build: Build, schemaPointer: string, clause: Clause): string | undefined {
  const { contract } = build;
  const at = shapeAt(shapeOf(contract, schemaPointer), clause.path);
  const shape = clause.onNames ? at?.names : at;
  if (!shape) return undefined;
  const twin = clausesOf(contract, schemaPointer).find(
    (other) =>
      other !== clause &&
      other.keyword === clause.keyword &&
      other.name === clause.name &&
      other.onNames === clause.onNames &&
      other.path.join('\n') === clause.path.join('\n') &&
      covers(other, clause),
  );
  if (twin) return `Whatever breaks it breaks ${twin.pointer} as well.`;
  // A limit of the source in a unit that was decided: each is tried by itself, since a run may be limited to one origin.
  if (clause.keyword === 'maxLength' && bytesOfAnotherOrigin(build, schemaPointer, clause)) return undefined;
  return ownReason(build, shape, clause);
}

function bytesOfAnotherOrigin({ contract }: Build, schemaPointer: string, { schema, origin }: Clause): boolean {
  return clausesOf(contract, schemaPointer).some(
    (other) => other.keyword === 'x-max-bytes' && other.schema === schema && other.origin !== origin,
  );
}

/** Whether every value that breaks `clause` breaks `other`, a rule of the same kind for the same place. */
function covers(other: Clause, clause: Clause): boolean {
  const [theirs, ours] = [other.schema[other.keyword], clause.schema[clause.keyword]];
  if (typeof theirs === 'number' && typeof ours === 'number' && theirs !== ours) {
    return clause.keyword.startsWith('min') ? theirs > ours : theirs < ours;
  }
  if (clause.keyword === 'required' || JSON.stringify(theirs) === JSON.stringify(ours)) return other.id < clause.id;
  return (
    clause.keyword === 'type' &&
    [theirs].flat().every((type) => [ours].flat().includes(type) || (type === 'integer' && ours === 'number'))
  );
}

function ownReason(build: Build, shape: Shape, { keyword, schema, onNames, name }: Clause): string | undefined {
  const stated = schema[keyword];
  const bytes = strictest(shape, 'x-max-bytes');
  const found = (length: number): boolean => textsOfLength(build, shape, length).length > 0;
  switch (keyword) {
    case 'type':
      if (onNames) return 'The name of a property is always a string.';
      if (shape.choices) return 'A value of another type is not one of the listed values either.';
      return undefined;
    case 'format':
      return formatReason(shape, stated as string);
    case 'maxLength':
      if (bytes !== undefined && (stated as number) >= bytes)
        return 'A text with more characters has more bytes, too: x-max-bytes beside it says more.';
      return texts(shape, 'pattern').some(isFinite) && !found((stated as number) + 1)
        ? 'No text that matches the pattern is longer.'
        : undefined;
    case 'minLength':
      if (stated === 0) return 'No text is shorter.';
      // Texts of up to three characters are all tried; with longer ones, not to find one shows nothing.
      return isPatterned(shape) && (stated as number) <= 4 && !found((stated as number) - 1)
        ? 'No text that matches the pattern or format is shorter.'
        : undefined;
    case 'minItems':
    case 'minProperties':
      return stated === 0 ? 'Nothing has fewer than none.' : undefined;
    case 'maxProperties':
      return !shape.additional && shape.properties.size <= (stated as number)
        ? 'There are no more properties than that.'
        : undefined;
    case 'dependentRequired':
      return dependentReason(stated as Record<string, string[]>, name);
    default:
      return undefined;
  }
}

/** Of `a: [b, c]` and `c: [b]`: without b, a breaks its own rule about c, or c that about b. */
function dependentReason(rules: Record<string, string[]>, name = ''): string | undefined {
  const trigger = Object.keys(rules).find((key) => name.startsWith(`${key}.`)) ?? '';
  const missing = name.slice(trigger.length + 1);
  const other = rules[trigger]?.find((one) => one !== missing && rules[one]?.includes(missing));
  return other === undefined
    ? undefined
    : `Without ${missing}, there is either ${other} without it, or no ${other} either.`;
}

function formatReason(shape: Shape, name: string): string | undefined {
  if (BYTE_FORMAT.test(name)) {
    return strictest(shape, 'x-max-bytes') === undefined
      ? undefined
      : 'It is the name of the rule that x-max-bytes beside it states.';
  }
  if (name === 'int32') {
    const within =
      (strictest(shape, 'minimum') ?? -Infinity) >= -(2 ** 31) && (strictest(shape, 'maximum') ?? Infinity) < 2 ** 31;
    return within ? 'Type and range beside it say more.' : undefined;
  }
  return formatOf(name) ? undefined : 'This format refuses no value that its type allows.';
}

/** Whether a pattern has no repetition without an end. */
function isFinite(pattern: string): boolean {
  return pattern.startsWith('^') && pattern.endsWith('$') && !/[*+]|\{\d+,\}/.test(pattern);
}
