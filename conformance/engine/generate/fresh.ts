/** Bodies whose texts nobody has sent before: a service may refuse two things with the same name, address or code. */
import { randomInt, randomUUID } from 'node:crypto';
import type { Contract } from '../contract/load.ts';
import { isObject } from '../contract/pointers.ts';
import { satisfies } from '../contract/schemas.ts';
import { type Shape, shapeOf, strictest, texts } from '../contract/shape.ts';

/** The first and the last character of each kind. */
const KINDS = ['09', 'AZ', 'az', 'àö', '一龥', '😀😏'].map((ends) =>
  [...ends].map((char) => char.codePointAt(0)!),
);

/** A text of fewer characters may come again by chance. */
const ENOUGH = 8;

/** A body as valid as this one, with other texts in its members, where they may be other ones. */
export function freshBody(contract: Contract, pointers: readonly string[], body: unknown): unknown {
  if (!isObject(body)) {
    return body;
  }
  const { property } = shapeOf(contract, ...pointers);
  const fresh: Record<string, unknown> = { ...body };
  for (const [name, value] of Object.entries(body)) {
    const shape = property(name);
    if (typeof value !== 'string' || shape === undefined || shape.choices !== undefined) {
      continue;
    }
    const found = freshTexts(shape, value).find((text) =>
      satisfies(contract, pointers, { ...fresh, [name]: text }),
    );
    if (found !== undefined) {
      fresh[name] = found;
    }
  }
  return fresh;
}

/** Texts to try, the best first: of the same kinds of characters, and of the same length where that is a limit. */
function freshTexts(shape: Shape, text: string): string[] {
  const word = letters(ENOUGH);
  const other = Array.from(text, otherOfKind).join('');
  const [format] = texts(shape, 'format');
  if (format === 'email') {
    return [`${word}${text.slice(text.lastIndexOf('@'))}`];
  }
  if (format === 'uri' || format === 'uri-reference') {
    return [`${text.replace(/[?#].*$/s, '').replace(/\/$/, '')}/${word}`];
  }
  if (format === 'uuid') {
    return [randomUUID()];
  }
  // Any other format has few texts, and letters in it mean something.
  if (format !== undefined && !/^(password|byte)$/.test(format)) {
    return [];
  }
  const length = [...text].length;
  const isOnLimit = [strictest(shape, 'minLength'), strictest(shape, 'maxLength')].includes(length);
  return length < ENOUGH && !isOnLimit ? [text + word, other] : [other];
}

export function letters(length: number): string {
  return Array.from({ length }, () => otherOfKind('a')).join('');
}

function otherOfKind(char: string): string {
  const code = char.codePointAt(0)!;
  const [first, last] = KINDS.find(([from, to]) => code >= from! && code <= to!) ?? [code, code];
  return String.fromCodePoint(randomInt(first!, last! + 1));
}
