/** The clauses that no value breaks alone, each with the reason, from the schema alone: no value is made to see it. */
import { clausesOf, type Clause } from './clauses.ts';
import { BYTE_FORMAT, isTextFormat, shortestOf } from './formats.ts';
import type { Contract } from './load.ts';
import { patternLengths } from './pattern-length.ts';
import { isObject, joinPointer, objectAt } from './pointers.ts';
import { allowsAll, shapeAt, shapeOf, strictest, texts, type Shape } from './shape.ts';

export interface ImpliedClause {
  clause: Clause;
  /** Why no value breaks this clause alone: a sentence. */
  reason: string;
}

/** A clause of the schema is here, or values are owed that break it. */
export function impliedClauses(contract: Contract, schemaPointer: string): readonly ImpliedClause[] {
  return clausesOf(contract, schemaPointer).flatMap((clause) => {
    const reason = reasonOf(contract, schemaPointer, clause);
    return reason === undefined ? [] : [{ clause, reason }];
  });
}

/**
 * The clauses of the parameter at `parameterPointer` (`/components/parameters/Limit`), with ids such as
 * `limit.maximum`.
 */
export function parameterClauses(contract: Contract, parameterPointer: string): Clause[] {
  const { name } = objectAt(contract.document, parameterPointer);
  return clausesOf(contract, joinPointer(parameterPointer, 'schema')).map((clause) => named(clause, String(name)));
}

/** The clauses of the parameter that no text breaks alone, each with the reason. */
export function impliedParameterClauses(contract: Contract, parameterPointer: string): ImpliedClause[] {
  const { name, in: place } = objectAt(contract.document, parameterPointer);
  const schema = joinPointer(parameterPointer, 'schema');
  const shape = shapeOf(contract, schema);
  const implied = impliedClauses(contract, schema);
  const reasons = new Map(implied.map(({ clause, reason }) => [clause.id, reason]));
  for (const clause of clausesOf(contract, schema)) {
    if (reasons.has(clause.id)) continue;
    if (clause.keyword === 'type' && shape.types.has('string'))
      reasons.set(clause.id, 'What stands in a URL is always a text.');
    if (clause.keyword === 'minLength' && clause.schema['minLength'] === 1 && place === 'path')
      reasons.set(clause.id, 'An empty text in a path is another path.');
  }
  return clausesOf(contract, schema).flatMap((clause) => {
    const reason = reasons.get(clause.id);
    return reason === undefined ? [] : [{ clause: named(clause, String(name)), reason }];
  });
}

/** The clause as one of the parameter of this name. */
export function named(clause: Clause, parameter: string): Clause {
  return { ...clause, id: `${parameter}.${clause.id}` };
}

/** The reason in a sentence, or undefined when none is known: then a violation is owed. */
export function reasonOf(contract: Contract, schemaPointer: string, clause: Clause): string | undefined {
  const at = shapeAt(shapeOf(contract, schemaPointer), clause.path);
  const shape = clause.onNames ? at?.names : at;
  if (!shape) return undefined;
  const place = clause.path.join('\n');
  const twin = clausesOf(contract, schemaPointer).find(
    (other) =>
      other !== clause &&
      other.keyword === clause.keyword &&
      other.name === clause.name &&
      other.onNames === clause.onNames &&
      other.path.join('\n') === place &&
      covers(other, clause),
  );
  if (twin) return `Whatever breaks it breaks ${twin.pointer} as well.`;
  // A limit of the source in a unit that was decided: each is tried by itself, since a run may be limited to one origin.
  if (clause.keyword === 'maxLength' && bytesOfAnotherOrigin(contract, schemaPointer, clause)) return undefined;
  return ownReason(shape, clause);
}

function bytesOfAnotherOrigin(contract: Contract, schemaPointer: string, { schema, origin }: Clause): boolean {
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

function ownReason(shape: Shape, { keyword, schema, onNames, name }: Clause): string | undefined {
  const stated = schema[keyword];
  const bytes = strictest(shape, 'x-max-bytes');
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
      return lengthsOf(shape).max <= (stated as number) ? 'No text that matches the pattern is longer.' : undefined;
    case 'minLength':
      if (stated === 0) return 'No text is shorter.';
      return lengthsOf(shape).min >= (stated as number)
        ? 'No text that matches the pattern or format is shorter.'
        : undefined;
    case 'minItems':
    case 'minProperties':
      return stated === 0 ? 'Nothing has fewer than none.' : undefined;
    case 'maxProperties':
      return !shape.allows('x-unlisted') && shape.patterns.size === 0 && shape.properties.size <= (stated as number)
        ? 'There are no more properties than that.'
        : undefined;
    case 'unevaluatedItems':
      if ('items' in schema) return 'What items says beside it is said of every item.';
      return allowsAll(stated) ? 'It allows anything.' : undefined;
    case 'unevaluatedProperties':
      if ('additionalProperties' in schema)
        return 'What additionalProperties says beside it is said of every other name.';
      return allowsAll(stated) ? 'It allows anything.' : undefined;
    case 'anyOf':
      return (stated as unknown[]).some(allowsAll) ? 'One of its branches allows anything.' : undefined;
    case 'contains':
      return schema['minContains'] === 0 ? 'minContains beside it asks for none.' : undefined;
    case 'if':
      if (name === 'else' && allowsAll(schema['if'])) return 'Every value meets the condition.';
      return name === 'then' && isNothing(schema['if']) ? 'No value meets the condition.' : undefined;
    case 'minContains':
      if (stated === 0) return 'Nothing has fewer than none.';
      return stated === 1 ? 'One is what contains asks for by itself.' : undefined;
    case 'dependentRequired':
      return dependentReason(stated as Record<string, string[]>, name);
    default:
      return undefined;
  }
}

function isNothing(schema: unknown): boolean {
  return isObject(schema) && allowsAll(schema['not']);
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
  return isTextFormat(name) ? undefined : 'This format refuses no value that its type allows.';
}

/** What patterns and formats say of the length of a text. */
function lengthsOf(shape: Shape): { min: number; max: number } {
  const patterns = texts(shape, 'pattern').map(patternLengths);
  const formats = texts(shape, 'format').filter(isTextFormat).map(shortestOf);
  return {
    min: Math.max(0, ...patterns.map(({ min }) => min), ...formats),
    max: Math.min(Infinity, ...patterns.map(({ max }) => max)),
  };
}
