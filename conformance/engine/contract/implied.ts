/** The clauses that no value breaks alone, each with the reason, from the schema alone: no value is made to see it. */
import { isDeepStrictEqual } from 'node:util';
import { clausesOf, type Clause, dependencyOf } from './clauses.ts';
import { BYTE_FORMAT, isTextFormat, SHORTEST } from './keywords.ts';
import { type Contract, groupBy, perPointers } from './load.ts';
import { isObject, objectAt, parameterSchema } from './pointers.ts';
import { allowsAll, shapeAt, shapeOf, strictest, texts, type Shape } from './shape.ts';

/** The clauses of a parameter (`/components/parameters/Limit`), with ids such as `limit.maximum`. */
export function parameterClauses(contract: Contract, parameterPointer: string): Clause[] {
  const { name } = objectAt(contract.document, parameterPointer);
  const { schema } = parameterSchema(contract.document, parameterPointer);
  return clausesOf(contract, schema).map((clause) => named(clause, String(name)));
}

/** The clauses of the parameter that nothing in a URL breaks alone, each with the reason. */
export function impliedParameterClauses(contract: Contract, parameterPointer: string) {
  const { name, in: place } = objectAt(contract.document, parameterPointer);
  const { schema, inJson } = parameterSchema(contract.document, parameterPointer);
  const shape = shapeOf(contract, schema);
  return clausesOf(contract, schema).flatMap((clause) => {
    const { keyword, path } = clause;
    let reason = reasonOf(contract, schema, clause);
    if (inJson) {
      if (reason === undefined) {
        return [];
      }
      return [{ clause: named(clause, String(name)), reason }];
    }
    if (keyword === 'type' && path.length === 0 && isStructured(shape)) {
      reason ??= 'A list or an object is one, however it is written.';
    }
    if (keyword === 'type' && shapeAt(shape, path)?.types.has('string')) {
      reason ??= 'A parameter in a URL is always a text.';
    }
    if (keyword === 'minLength' && clause.schema['minLength'] === 1 && place === 'path') {
      reason ??= 'An empty text in a path is another path.';
    }
    if (keyword === 'minItems' && clause.schema['minItems'] === 1) {
      reason ??= 'An empty list is not there.';
    }
    if (reason === undefined) {
      return [];
    }
    return [{ clause: named(clause, String(name)), reason }];
  });
}

/** Whether a parameter with this value is a list or an object, not a text. */
export const isStructured = ({ types }: Shape) =>
  (types.has('array') || types.has('object')) && !types.has('string');

export const named = (clause: Clause, parameter: string): Clause => ({
  ...clause,
  id: `${parameter}.${clause.id}`,
});

/** The reason in a sentence, or undefined when none is known: then there must be a violation. */
export function reasonOf(
  contract: Contract,
  schemaPointer: string,
  clause: Clause,
): string | undefined {
  const at = shapeAt(shapeOf(contract, schemaPointer), clause.path);
  const shape = clause.onNames ? at?.names : at;
  if (!shape) {
    return undefined;
  }
  const alike = alikeIn(contract, schemaPointer).get(kindOf(clause))!;
  const twin = alike.find((other) => other !== clause && covers(other, clause));
  if (twin) {
    return `Whatever breaks it breaks ${twin.pointer} as well.`;
  }
  // A limit of the source in a unit that was decided: each is tried by itself, since a run may be limited to one origin.
  const isBytes = ({ keyword, schema, origin }: Clause) =>
    keyword === 'x-max-bytes' && schema === clause.schema && origin !== clause.origin;
  if (clause.keyword === 'maxLength' && clausesOf(contract, schemaPointer).some(isBytes)) {
    return undefined;
  }
  const limit = clause.schema[clause.keyword] as number;
  if (limit === 0 && /^min(Length|Items|Properties|Contains)$/.test(clause.keyword)) {
    return 'Nothing has fewer than none.';
  }
  return REASONS[clause.keyword]?.(shape, clause, limit) || undefined;
}

/** The same for all rules of one keyword for one place. */
const kindOf = ({ keyword, name, onNames, path }: Clause) =>
  [keyword, name, onNames, ...path].join('\n');

const alikeIn = perPointers((contract, [pointer = '']) =>
  groupBy(clausesOf(contract, pointer), kindOf),
);

/** Whether every value that breaks `clause` breaks `other`, a rule of the same kind for the same place. */
function covers(other: Clause, clause: Clause): boolean {
  const theirs = other.schema[other.keyword];
  const ours = clause.schema[clause.keyword];
  if (typeof theirs === 'number' && typeof ours === 'number' && theirs !== ours) {
    return clause.keyword.startsWith('min') ? theirs > ours : theirs < ours;
  }
  if (clause.keyword === 'required' || isDeepStrictEqual(theirs, ours)) {
    return other.id < clause.id;
  }
  return (
    clause.keyword === 'type' &&
    [theirs]
      .flat()
      .every((type) => [ours].flat().includes(type) || (type === 'integer' && ours === 'number'))
  );
}

type Reason = string | false | undefined;

/** Why the rule of a keyword is implied, as far as it is. `limit`: what it states, where that is a number. */
const REASONS: Record<string, (shape: Shape, clause: Clause, limit: number) => Reason> = {
  type: ({ choices }, { onNames }) => {
    if (onNames) {
      return 'The name of a property is always a string.';
    }
    return (
      choices !== undefined && 'A value of another type is not one of the listed values either.'
    );
  },
  format: (shape, { schema }) => formatReason(shape, schema['format'] as string),
  maxLength: (shape, _, limit) => {
    if (limit >= (strictest(shape, 'x-max-bytes') ?? Infinity)) {
      return 'A text with more characters has more bytes, too: x-max-bytes beside it says more.';
    }
    return lengthsOf(shape).max <= limit && 'No text that matches the pattern is longer.';
  },
  minLength: (shape, _, limit) =>
    lengthsOf(shape).min >= limit && 'No text that matches the pattern or format is shorter.',
  maxProperties: ({ allows, patterns, properties }, _, limit) => {
    const isClosed = !allows('x-unlisted') && patterns.size === 0;
    return isClosed && properties.size <= limit && 'There are no more properties than that.';
  },
  unevaluatedItems: (_, { schema }) => {
    if ('items' in schema) {
      return 'items beside it binds every item.';
    }
    return allowsAll(schema['unevaluatedItems']) && 'It allows anything.';
  },
  unevaluatedProperties: (_, { schema }) => {
    if ('additionalProperties' in schema) {
      return 'additionalProperties beside it binds every other name.';
    }
    return allowsAll(schema['unevaluatedProperties']) && 'It allows anything.';
  },
  anyOf: (_, { schema }) =>
    (schema['anyOf'] as unknown[]).some(allowsAll) && 'One of its branches allows anything.',
  contains: (_, { schema }) =>
    schema['minContains'] === 0 && 'minContains beside it asks for none.',
  minContains: (_, __, limit) => limit === 1 && 'One is what contains asks for by itself.',
  if: (_, { schema: { if: condition }, name }) => {
    if (name === 'else') {
      return allowsAll(condition) && 'Every value meets the condition.';
    }
    return isObject(condition) && allowsAll(condition['not']) && 'No value meets the condition.';
  },
  dependentRequired: (_, clause) => {
    const { rules, trigger, missing } = dependencyOf(clause);
    // For `a: [b, c]` and `c: [b]`: without b, a breaks its own rule about c, or c that about b.
    const other = rules[trigger]?.find((one) => one !== missing && rules[one]?.includes(missing));
    return (
      other && `Without ${missing}, there is either ${other} without it, or no ${other} either.`
    );
  },
};

function formatReason(shape: Shape, name: string): Reason {
  const isBounded = strictest(shape, 'x-max-bytes') !== undefined;
  if (BYTE_FORMAT.test(name)) {
    return isBounded && 'It is the name of the rule that x-max-bytes beside it states.';
  }
  if (name !== 'int32') {
    return !isTextFormat(name) && 'This format refuses no value that its type allows.';
  }
  const isAbove = (strictest(shape, 'minimum') ?? -Infinity) >= -(2 ** 31);
  const isBelow = (strictest(shape, 'maximum') ?? Infinity) < 2 ** 31;
  return isAbove && isBelow && 'Type and range beside it say more.';
}

/** How short and how long the patterns and formats let a text be, in code points. */
function lengthsOf(shape: Shape) {
  const patterns = texts(shape, 'pattern').map(patternLengths);
  const formats = texts(shape, 'format').flatMap((name) =>
    isTextFormat(name) ? SHORTEST[name] : [],
  );
  return {
    min: Math.max(0, ...patterns.map(({ min }) => min), ...formats),
    max: Math.min(Infinity, ...patterns.map(({ max }) => max)),
  };
}

/** A part of a pattern. `starts`: it begins with `^` in each alternative; `ends`: with `$` at its end. */
interface Piece {
  min: number;
  /** `Infinity` where there is no limit, and where none is known. */
  max: number;
  starts: boolean;
  ends: boolean;
}

const EMPTY: Piece = { min: 0, max: 0, starts: false, ends: false };

/** An escape, a class, the beginning of a group, or one character; and how often it is repeated. */
const TOKEN =
  /(\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<\w+>))?|[^])(?:(?:([*+?])|\{(\d+)(,?)(\d*)\})\??)?/giu;

/** The lengths of what a pattern matches, from its syntax alone, and never narrower than the truth. */
function patternLengths(pattern: string): Pick<Piece, 'min' | 'max'> {
  const tokens = [...pattern.matchAll(TOKEN)];
  const { min, max, starts, ends } = readAlternatives(tokens);
  // Without both anchors, anything may be around what is matched.
  return {
    min: tokens.length > 0 ? 0 : min,
    max: tokens.length === 0 && starts && ends ? max : Infinity,
  };
}

/** Takes the tokens up to the end of the group, which is repeated as the `)` says. */
function readAlternatives(tokens: RegExpExecArray[]): Piece {
  const branches: Piece[][] = [[]];
  let token = tokens.shift();
  for (; token && token[1] !== ')'; token = tokens.shift()) {
    if (token[1] === '|') {
      branches.push([]);
    } else {
      branches.at(-1)!.push(readPiece(token, tokens));
    }
  }
  const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0);
  const whole: Piece = {
    min: Math.min(...branches.map((pieces) => sum(pieces.map(({ min }) => min)))),
    max: Math.max(...branches.map((pieces) => sum(pieces.map(({ max }) => max)))),
    starts: branches.every((pieces) => pieces[0]?.starts),
    ends: branches.every((pieces) => pieces.at(-1)?.ends),
  };
  return token ? repeated(whole, token) : whole;
}

function readPiece(token: RegExpExecArray, tokens: RegExpExecArray[]): Piece {
  const [, text = ''] = token;
  if (text.startsWith('(')) {
    const inner = readAlternatives(tokens);
    return /^\(\?<?[=!]$/.test(text) ? EMPTY : inner;
  }
  if (text === '^' || text === '$') {
    return { ...EMPTY, starts: text === '^', ends: text === '$' };
  }
  if (/^\\b$/i.test(text)) {
    return EMPTY;
  }
  // A reference to a group stands for whatever that has matched.
  const max = /^\\[1-9k]/.test(text) ? Infinity : 1;
  return repeated({ ...EMPTY, min: max === 1 ? 1 : 0, max }, token);
}

function repeated(piece: Piece, [, , sign, least, comma, most]: RegExpExecArray): Piece {
  const from = sign === undefined ? Number(least ?? 1) : sign === '+' ? 1 : 0;
  const to =
    sign === undefined ? (comma ? Number(most || Infinity) : from) : sign === '?' ? 1 : Infinity;
  const isThere = from > 0;
  return {
    min: piece.min * from,
    max: piece.max === 0 || to === 0 ? 0 : piece.max * to,
    starts: piece.starts && isThere,
    ends: piece.ends && isThere,
  };
}
