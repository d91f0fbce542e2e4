/**
 * The shortest and the longest length of the texts that a pattern matches, by the syntax of the
 * pattern alone.
 */

import { supported } from './keywords.ts';
import { expressionOf } from './patterns.ts';

/** Numbers of code points. `max` is `Infinity` if there is no limit, or if none is known. */
export interface LengthRange {
  min: number;
  max: number;
}

/** The lengths of the texts that a pattern matches; never narrower than the truth. */
export function lengthsOfPattern(pattern: string): LengthRange {
  const anyLength = { min: 0, max: Infinity };
  const expression = supported(
    () => expressionOf(pattern),
    () => undefined,
  );
  // With this flag, the ends of a line are ends, too.
  if (expression === undefined || expression.multiline) {
    return anyLength;
  }
  return lengthsOfSource(expression.source);
}

function lengthsOfSource(pattern: string): LengthRange {
  const tokens = tokensOf(pattern);
  const whole = readAlternatives(tokens);
  const isComplete = tokens.length === 0;
  if (!isComplete) {
    return { min: 0, max: Infinity };
  }
  // Without both anchors, any text may be around the match.
  const isAnchored = whole.starts && whole.ends;
  if (!isAnchored) {
    return { min: whole.min, max: Infinity };
  }
  return { min: whole.min, max: whole.max };
}

/** One element of a pattern, and the number of its repetitions. */
interface Token {
  /** An escape, a class, the beginning of a group, or one character. */
  text: string;
  least: number;
  most: number;
}

const ESCAPE = String.raw`\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|p\{[^}]*\}|[^])`;
const CLASS = String.raw`\[(?:\\[^]|[^\]\\])*\]`;
const GROUP_START = String.raw`\((?:\?(?:[:=!]|<[=!]|<\w+>))?`;
const ANY_CHARACTER = '[^]';
const ELEMENT = [ESCAPE, CLASS, GROUP_START, ANY_CHARACTER].join('|');
const COUNT = String.raw`\{(?<least>\d+)(?<comma>,?)(?<most>\d*)\}`;
const TOKEN = new RegExp(`(?<text>${ELEMENT})(?:(?:(?<sign>[*+?])|${COUNT})\\??)?`, 'giu');

function tokensOf(pattern: string): Token[] {
  return Array.from(pattern.matchAll(TOKEN), ({ groups = {} }) => tokenOf(groups));
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>): Token {
  const { text = '', sign, least, comma, most } = groups;
  switch (sign) {
    case '*':
      return { text, least: 0, most: Infinity };
    case '+':
      return { text, least: 1, most: Infinity };
    case '?':
      return { text, least: 0, most: 1 };
    default:
  }
  if (least === undefined) {
    return { text, least: 1, most: 1 };
  }
  if (comma) {
    return { text, least: Number(least), most: Number(most || Infinity) };
  }
  return { text, least: Number(least), most: Number(least) };
}

/** A part of a pattern. */
interface Piece extends LengthRange {
  /** Each alternative begins with `^`. */
  starts: boolean;
  /** Each alternative ends with `$`. */
  ends: boolean;
}

const EMPTY: Piece = { min: 0, max: 0, starts: false, ends: false };

/** Takes the tokens up to the end of the group, whose `)` has the number of repetitions. */
function readAlternatives(tokens: Token[]): Piece {
  let branch: Piece[] = [];
  const branches = [branch];
  let token = tokens.shift();
  for (; token && token.text !== ')'; token = tokens.shift()) {
    if (token.text === '|') {
      branch = [];
      branches.push(branch);
    } else {
      branch.push(readPiece(token, tokens));
    }
  }
  const whole = oneOf(branches.map(sequenceOf));
  return token ? repeated(whole, token) : whole;
}

/** One of the pieces. */
function oneOf(pieces: readonly Piece[]): Piece {
  const whole: Piece = { min: Infinity, max: 0, starts: true, ends: true };
  for (const { min, max, starts, ends } of pieces) {
    whole.min = Math.min(whole.min, min);
    whole.max = Math.max(whole.max, max);
    whole.starts &&= starts;
    whole.ends &&= ends;
  }
  return whole;
}

/** The pieces one after the other. */
function sequenceOf(pieces: readonly Piece[]): Piece {
  const whole: Piece = {
    min: 0,
    max: 0,
    starts: pieces[0]?.starts ?? false,
    ends: pieces.at(-1)?.ends ?? false,
  };
  for (const { min, max } of pieces) {
    whole.min += min;
    whole.max += max;
  }
  return whole;
}

const LOOKAROUND = /^\(\?<?[=!]$/;
const WORD_BOUNDARY = /^\\b$/i;
const BACKREFERENCE = /^\\[1-9k]/;

function readPiece(token: Token, tokens: Token[]): Piece {
  const { text } = token;
  if (text.startsWith('(')) {
    const group = readAlternatives(tokens);
    if (LOOKAROUND.test(text)) {
      return EMPTY;
    }
    return group;
  }
  if (text === '^' || text === '$') {
    return { ...EMPTY, starts: text === '^', ends: text === '$' };
  }
  if (WORD_BOUNDARY.test(text)) {
    return EMPTY;
  }
  // A reference to a group has the text that the group has matched.
  if (BACKREFERENCE.test(text)) {
    return repeated({ ...EMPTY, max: Infinity }, token);
  }
  return repeated({ ...EMPTY, min: 1, max: 1 }, token);
}

function repeated(piece: Piece, { least, most }: Token): Piece {
  const isThere = least > 0;
  const isEmpty = piece.max === 0 || most === 0;
  return {
    min: piece.min * least,
    max: isEmpty ? 0 : piece.max * most,
    starts: piece.starts && isThere,
    ends: piece.ends && isThere,
  };
}
