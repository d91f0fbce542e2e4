/**
 * Texts that break one assertion of a pattern, such as a lookahead or a reference to a group, and
 * match the rest of it: a service that leaves the assertion out accepts them.
 */
import * as fc from 'fast-check';
import { entry } from '../../contract/load.ts';
import { expressionOf, matcherOf } from '../../contract/patterns.ts';
import { supported } from '../../contract/keywords.ts';
import { among, type Mutation } from '../build.ts';
import { accepted, possible, samples } from '../filter.ts';
import { type Assertion, partsOf } from '../pattern-parts.ts';
import { isPlainFor, piecesFor, textMatching } from '../pattern-texts.ts';

/** Numbers of characters. */
interface Limits {
  min: number;
  max: number;
}

const known = new Map<string, Mutation[]>();

/** None for a pattern without assertions, and for one whose assertions no known text breaks. */
export function assertionMutations(pattern: string, limits: Limits): Mutation[] {
  return entry(known, `${limits.min} ${limits.max} ${pattern}`, () =>
    partsOf(pattern).assertions.flatMap((one) => mutationsOf(pattern, one, limits)),
  );
}

const TEXTS = 8;
const TRIES = 400;

function mutationsOf(pattern: string, assertion: Assertion, { min, max }: Limits): Mutation[] {
  const { rest, text: stated } = assertion;
  const isBroken = (text: string): boolean => {
    const { length } = [...text];
    const isInLimits = length >= min && length <= max;
    return isInLimits && isPlainFor(pattern, text) && breaksAlone(pattern, rest, text);
  };
  const found = possible(() => nearly(rest, assertion, max)).flatMap((texts) =>
    samples(accepted(texts, `text that breaks ${stated} alone`, isBroken, TRIES), TEXTS),
  );
  return among(`a text that breaks ${stated} alone`, [...new Set(found)]);
}

const breaksAlone = (pattern: string, rest: string, text: string): boolean =>
  supported(
    () => matcherOf(rest).test(text) && !matcherOf(pattern).test(text),
    () => false,
  );

/** Texts that match the rest of a pattern, and that are likely to break the assertion. */
function nearly(rest: string, assertion: Assertion, max: number): fc.Arbitrary<string> {
  const texts = textMatching(rest, max);
  const [pieces] = piecesFor(assertion);
  if (pieces === undefined || assertion.body === '') {
    return texts;
  }
  const isRefused = assertion.kind.startsWith('not');
  const parts = fc.tuple(texts, pieces, fc.nat({ max: 300 }), fc.nat({ max: 2 }));
  return parts.map(([text, piece, at, way]) => {
    if (way === 0) {
      return isRefused ? piece : text;
    }
    if (isRefused) {
      return withPiece(text, piece, at, way === 1);
    }
    return withoutPiece(text, assertion.body);
  });
}

/** The text with a piece in a place, or in place of some of its characters. */
function withPiece(text: string, piece: string, at: number, replaces: boolean): string {
  const characters = [...text];
  const added = [...piece];
  const index = at % (characters.length + 1);
  return characters.toSpliced(index, replaces ? added.length : 0, ...added).join('');
}

const ANYTHING_BEFORE = /^\^?(?:\.\*\??)?/;
const ANYTHING_BEHIND = /(?:\.\*\??)?\$?$/;

/** The text with one of its other characters in place of each part that a lookaround looks for. */
function withoutPiece(text: string, body: string): string {
  const part = body.replace(ANYTHING_BEFORE, '').replace(ANYTHING_BEHIND, '');
  if (part === '') {
    return text;
  }
  const { source, flags } = expressionOf(part);
  const looked = new RegExp(source, `${flags}g`);
  const [other = ''] = text.replaceAll(looked, '');
  return text.replaceAll(looked, (match) => other.repeat([...match].length));
}
