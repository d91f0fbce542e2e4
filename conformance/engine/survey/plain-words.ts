/** Values without odd characters, which services take whatever their contract says. */
import { setMember } from '../contract/by-name.ts';
import { isObject } from '../contract/pointers.ts';
import { isPatterned, type Shape, strictest, texts } from '../contract/shape.ts';
import { letters } from '../generate/fresh.ts';
import type { Random } from '../generate/random.ts';
import { timesInOrder } from '../generate/times.ts';

type Members = Record<string, unknown>;

/**
 * The value with words of lower-case letters in place of texts that have no form, with one member
 * in maps of texts that have none, and with times and days that follow each other in the future.
 * Whatever their contract says, services refuse odd characters in names, and spans that end before
 * they begin or have passed.
 */
export function inPlainWords(shape: Shape, value: unknown, random: Random): unknown {
  if (typeof value === 'string') {
    return plainText(shape, value, random);
  }
  if (Array.isArray(value)) {
    const { items } = shape;
    if (items) {
      return value.map((item) => inPlainWords(items, item, random));
    }
    return value;
  }
  if (!isObject(value)) {
    return value;
  }
  const members: Members = {};
  if (isEmptyMap(shape, value)) {
    members[letters(WORD, random)] = letters(WORD, random);
  }
  for (const [name, one] of Object.entries(value)) {
    const member = shape.property(name);
    setMember(members, name, member ? inPlainWords(member, one, random) : one);
  }
  return { ...members, ...timesInOrder(shape, value) };
}

/** A map of texts, such as labels, in which many services want a member. */
function isEmptyMap({ properties, additional }: Shape, value: Members): boolean {
  const isOfTexts = additional?.types.has('string') === true && !isPatterned(additional);
  return isOfTexts && properties.size === 0 && Object.keys(value).length === 0;
}

const WORD = 10;

function plainText(shape: Shape, text: string, random: Random): string {
  const hasForm =
    shape.choices !== undefined || isPatterned(shape) || texts(shape, 'format').length > 0;
  if (hasForm) {
    return text;
  }
  const least = strictest(shape, 'minLength') ?? 1;
  const most = strictest(shape, 'maxLength') ?? Infinity;
  // Not on a limit, where services err most easily.
  const longest = most > least ? most - 1 : most;
  return letters(Math.max(least, Math.min(longest, WORD)), random);
}
