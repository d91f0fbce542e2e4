/**
 * Texts that show each set of a pattern: the ends of its ranges, and its single characters. Random
 * texts have a rare character in a rare place too seldom.
 */
import { expressionOf, matcherOf } from '../contract/patterns.ts';

/** An escape, or a set of characters. */
const TOKEN = /\\[^]|\[(?:\\.|[^\]\\])*\]/g;

/** References count groups, and one more is put into the pattern. */
const REFERENCE = /\\[1-9]/;

/** In a set: an escape by a number, any other escape, or one character. */
const MEMBER = /\\u\{[0-9a-f]+\}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|\\[^]|[^]/giu;

const CLASSES: Readonly<Record<string, string>> = { '\\d': '09', '\\w': 'azAZ09_', '\\s': ' ' };

/** Enough for any pattern that people write. */
const MOST_TEXTS = 40;

/**
 * @param samples texts that match, in which one character is exchanged
 * @param isRight whether a text satisfies all other rules
 */
export function edgesOfPattern(
  pattern: string,
  samples: readonly string[],
  isRight: (text: string) => boolean,
): string[] {
  const { source, flags } = expressionOf(pattern);
  if (REFERENCE.test(source)) {
    return [];
  }
  const matcher = matcherOf(pattern);
  const isEdge = (text: string) => matcher.test(text) && isRight(text);
  const found = new Set<string>();
  for (const { 0: set, index } of source.matchAll(TOKEN)) {
    const characters = charactersOf(set, flags);
    if (characters.length === 0) {
      continue;
    }
    const end = index + set.length;
    const marked = `${source.slice(0, index)}(?<edge>${set})${source.slice(end)}`;
    const expression = new RegExp(marked, `${flags}d`);
    for (const text of textsWith(characters, expression, samples, isEdge)) {
      found.add(text);
    }
  }
  return [...found].slice(0, MOST_TEXTS);
}

/** The characters that a set names, and the ends of its ranges; none for a set of all others. */
function charactersOf(set: string, flags: string): string[] {
  const isOfOthers = set.startsWith('[^');
  if (!set.startsWith('[') || isOfOthers) {
    return [...(CLASSES[set] ?? '')];
  }
  const own = new RegExp(`^${set}$`, flags);
  const named = [...set.slice(1, -1).matchAll(MEMBER)].flatMap(([member]) => namedBy(member));
  // A hyphen between two characters is not in the set.
  return [...new Set(named)].filter((character) => own.test(character));
}

function namedBy(member: string): string[] {
  if (!member.startsWith('\\')) {
    return [member];
  }
  if (/^\\[ux]/i.test(member)) {
    return [String.fromCodePoint(Number.parseInt(member.replaceAll(/[^0-9a-f]/gi, ''), 16))];
  }
  return [...(CLASSES[member] ?? member.slice(1))];
}

/** All characters in one text, if a sample has room for them, or else one text for each. */
function textsWith(
  characters: readonly string[],
  expression: RegExp,
  samples: readonly string[],
  isEdge: (text: string) => boolean,
): string[] {
  const shortest = samples.toSorted((one, other) => one.length - other.length);
  const exchanged = (inPlace: string) =>
    firstOf(shortest, (sample) => {
      const [start, end] = expression.exec(sample)?.indices?.groups?.['edge'] ?? [];
      if (start === undefined) {
        return undefined;
      }
      const text = sample.slice(0, start) + inPlace + sample.slice(end);
      return isEdge(text) ? text : undefined;
    });
  const together = exchanged(characters.join(''));
  if (together !== undefined) {
    return [together];
  }
  return characters.flatMap((character) => exchanged(character) ?? []);
}

function firstOf<T, R>(values: readonly T[], find: (value: T) => R | undefined): R | undefined {
  for (const value of values) {
    const found = find(value);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
