/**
 * Patterns as Go, Java, Python, PCRE and others write them, in the syntax of ECMA 262: flags, ends
 * of the text, names of groups, quoted texts, sets of POSIX, atomic groups and possessive
 * quantifiers.
 */
import { Unsupported } from './keywords.ts';

export interface Translation {
  source: string;
  /** Those at the beginning of the pattern: `i`, `m` and `s`. */
  flags: string;
  /**
   * Whether the pattern has words of other languages, which mean nearly the same in each of them:
   * they differ in what a letter and the end of a line is.
   */
  isForeign: boolean;
}

/** Flags at the beginning. `u` and `a` say which letters Python and Java take for letters. */
const INLINE_FLAGS = /^(\^?)\(\?([aimsu]+)\)/;

const QUOTED = String.raw`\\Q[^]*?(?:\\E|$)`;
const ESCAPE = String.raw`\\(?:[pP]\{[^}]*\}|[pP][A-Z]|k<\w+>|[^])`;
/** A set of characters. */
export const SET = String.raw`\[(?:\[:\^?[a-z]+:\]|\\[^]|[^\]\\])*\]`;
const GROUP = String.raw`\(\?#[^)]*\)|\(\?P=\w+\)|\(\?P<|\(\?>|\(`;
/** A quantifier, greedy or not or possessive. */
export const QUANTIFIER = String.raw`(?:[*+?]|\{\d+(?:,\d*)?\})[+?]?`;
const PIECE = new RegExp([QUOTED, ESCAPE, SET, GROUP, QUANTIFIER, '[^]'].join('|'), 'gu');
const IS_QUANTIFIER = new RegExp(`^${QUANTIFIER}$`);

/** The parts of a pattern: escapes, sets, openings of groups, quantifiers, single characters. */
const piecesOf = (pattern: string): readonly string[] => pattern.match(PIECE) ?? [];

/** In a set: the name of a POSIX set, or an escape. */
const IN_SET = /\[:(\^?)([a-z]+):\]|\\(?:p\{\w+\}|[^])/g;
/** An escape of a letter that ECMA 262 gives no meaning. */
const UNKNOWN_ESCAPE = /^\\[^\dbBcdDfknpPrsStuvwWx]$/;

/** An escape that stands for one character or kind of characters, by the letter behind it. */
const ESCAPES: Readonly<Record<string, string>> = {
  A: '^',
  z: '$',
  Z: '$',
  h: String.raw`[ \t]`,
  H: String.raw`[^ \t]`,
  a: String.raw`\x07`,
  e: String.raw`\x1b`,
};

/** What Go, PCRE and POSIX have in a set, and Java as `\p{Alpha}`: characters of ASCII. */
const POSIX: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: String.raw`\x00-\x7f`,
  blank: String.raw`\x20\t`,
  cntrl: String.raw`\x00-\x1f\x7f`,
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: String.raw`\x20-~`,
  punct: String.raw`!-\x2f:-@\x5b-\x60\x7b-~`,
  space: String.raw`\t-\r\x20`,
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

/** A set of POSIX as Java writes it, with its name. */
const POSIX_OF_JAVA = /^\\p\{([A-Z]\w+)\}$/;

/** Whether a set of the pattern has a set of POSIX in it, which ECMA 262 would read otherwise. */
export const hasPosixSet = (pattern: string): boolean =>
  piecesOf(pattern).some((piece) => piece.startsWith('[') && /\[:\^?[a-z]+:\]/.test(piece));

/** @throws Unsupported for what ECMA 262 has no words for */
export function translated(pattern: string): Translation {
  const [, , stated = ''] = INLINE_FLAGS.exec(pattern) ?? [];
  const flags = [...new Set(stated)].filter((flag) => 'ims'.includes(flag)).join('');
  const isByLine = flags.includes('m');
  if (isByLine && /\\[AzZ]/.test(pattern)) {
    throw new Unsupported(`the pattern ${pattern} has ends of lines and of the text`);
  }
  const writer = new Writer(pattern);
  for (const piece of piecesOf(pattern.replace(INLINE_FLAGS, '$1'))) {
    writer.add(piece);
  }
  return { source: writer.source, flags, isForeign: writer.isForeign || stated !== '' };
}

/** Pieces that ECMA 262 does not have. */
const FOREIGN = /^\(\?(?:#|P|>)|^\\[AzZhHaeQ]|^\\p[A-Z]|\[:\^?[a-z]+:\]|^[*+?}].*\+$/;

interface OpenGroup {
  /** The text that begins it. */
  start: string;
  isAtomic: boolean;
  /** The atoms before it. */
  before: string[];
}

/** Writes a pattern piece by piece. */
class Writer {
  readonly #pattern: string;
  readonly #open: OpenGroup[] = [];
  /** The last one is what a quantifier repeats. */
  #atoms: string[] = [];
  #atomics = 0;
  isForeign = false;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  get source(): string {
    const unclosed = this.#open.map(({ before, start }) => before.join('') + start);
    return unclosed.join('') + this.#atoms.join('');
  }

  add(piece: string): void {
    this.isForeign ||= FOREIGN.test(piece);
    if (piece.startsWith('(?#')) {
      return;
    }
    if (piece.startsWith('(') && !piece.startsWith('(?P=')) {
      const isAtomic = piece === '(?>';
      const start = piece === '(?P<' ? '(?<' : piece;
      this.#open.push({ start: isAtomic ? '' : start, isAtomic, before: this.#atoms });
      this.#atoms = [];
    } else if (piece === ')') {
      this.#close();
    } else if (IS_QUANTIFIER.test(piece)) {
      this.#repeat(piece);
    } else {
      this.#atoms.push(...this.#atomsOf(piece));
    }
  }

  #close(): void {
    const group = this.#open.pop();
    const content = this.#atoms.join('');
    if (group === undefined) {
      this.#atoms.push(')');
      return;
    }
    const { before, start, isAtomic } = group;
    const whole = isAtomic ? this.#atomic(content) : `${start}${content})`;
    this.#atoms = [...before, whole];
  }

  #repeat(quantifier: string): void {
    const isPossessive = quantifier.length > 1 && quantifier.endsWith('+');
    const atom = this.#atoms.pop() ?? '';
    if (isPossessive) {
      this.#atoms.push(this.#atomic(atom + quantifier.slice(0, -1)));
    } else {
      this.#atoms.push(atom + quantifier);
    }
  }

  /** A lookahead finds one match, and a reference to its group takes that and no other one. */
  #atomic(content: string): string {
    if (/\\[1-9]/.test(this.#pattern)) {
      throw new Unsupported(`the pattern ${this.#pattern} has atomic groups and numbered ones`);
    }
    this.#atomics += 1;
    const name = `atomic${this.#atomics}`;
    return `(?:(?=(?<${name}>${content}))\\k<${name}>)`;
  }

  #atomsOf(piece: string): string[] {
    if (piece.startsWith('(?P=')) {
      return [`\\k<${piece.slice(4, -1)}>`];
    }
    if (piece.startsWith(String.raw`\Q`)) {
      const text = piece.slice(2).replace(/\\E$/, '');
      return Array.from(text, asCharacter);
    }
    if (piece.startsWith('\\')) {
      return [this.#escape(piece)];
    }
    if (piece.startsWith('[') && piece.length > 1) {
      return [this.#set(piece)];
    }
    return [piece];
  }

  #escape(piece: string): string {
    const known = Object.hasOwn(ESCAPES, piece.charAt(1)) && piece.length === 2;
    if (known) {
      return ESCAPES[piece.charAt(1)] ?? piece;
    }
    const ascii = posixOf(POSIX_OF_JAVA.exec(piece)?.[1]);
    if (ascii !== undefined) {
      return `[${ascii}]`;
    }
    return this.#plainEscape(piece);
  }

  #set(set: string): string {
    return withPlainHyphens(set).replaceAll(IN_SET, (piece, not, name) => {
      if (!piece.startsWith('\\')) {
        return this.#posix(String(not), String(name));
      }
      if (piece === String.raw`\h`) {
        return String.raw`\x20\t`;
      }
      return posixOf(POSIX_OF_JAVA.exec(piece)?.[1]) ?? this.#plainEscape(piece);
    });
  }

  #posix(not: string, name: string): string {
    const characters = posixOf(name);
    if (characters === undefined || not !== '') {
      throw new Unsupported(`the pattern ${this.#pattern} has the set [:${not}${name}:]`);
    }
    return characters;
  }

  /**
   * As the flag `u` asks for: it knows no escape of a character that needs none, and neither does
   * anybody know the meaning of other letters.
   */
  #plainEscape(piece: string): string {
    const [, letter] = /^\\[pP]([A-Z])$/.exec(piece) ?? [];
    if (letter !== undefined) {
      return `${piece.slice(0, 2)}{${letter}}`;
    }
    if (/^\\[^\w\s]$/u.test(piece) || piece === String.raw`\_` || /^\\\s$/.test(piece)) {
      return asCharacter(piece.slice(1));
    }
    if (UNKNOWN_ESCAPE.test(piece)) {
      throw new Unsupported(
        `the pattern ${this.#pattern} has ${piece}, which ECMA 262 does not know`,
      );
    }
    return piece;
  }
}

/** In a set: a kind of characters before a hyphen, or any other escape. */
const KIND_AND_HYPHEN = /(\\(?:[dDhHsSwW]|[pP]\{[^}]*\}))-(?!\])|\\[^]/g;
/** In a set: a hyphen before a kind of characters, or any escape. */
const HYPHEN_AND_KIND = /-(?=\\[dDhHpPsSwW])|\\[^]/g;

/**
 * With an escape before hyphens beside a kind of characters: `[\w-.]` has no range, and the flag
 * `u` does not know such a set (ECMA 262, B.1.2).
 */
const withPlainHyphens = (set: string): string =>
  set
    .replaceAll(KIND_AND_HYPHEN, (piece, kind) => (kind ? String.raw`${kind}\-` : piece))
    .replaceAll(HYPHEN_AND_KIND, (piece) => (piece === '-' ? String.raw`\-` : piece));

/** The characters of a set of POSIX, or of the same in Java. */
function posixOf(name: string | undefined): string | undefined {
  const key = name?.toLowerCase() ?? '';
  return Object.hasOwn(POSIX, key) ? POSIX[key] : undefined;
}

/** The character itself, in a set or outside. */
function asCharacter(character: string): string {
  const code = character.charCodeAt(0).toString(16);
  const isSpecial = /^[^\dA-Za-z]$/.test(character);
  if (!isSpecial || code.length > 2) {
    return character;
  }
  return `\\x${code.padStart(2, '0')}`;
}
