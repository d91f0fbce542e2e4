/** How short and how long the texts are that a pattern matches, from its syntax alone. */

export interface Lengths {
  /** In code points. */
  min: number;
  /** `Infinity` where there is no limit, and where none is known. */
  max: number;
}

const NONE: Lengths = { min: 0, max: 0 };
const ANY: Lengths = { min: 0, max: Infinity };

/** Never narrower than the truth: what is not understood counts as any length. */
export function patternLengths(pattern: string): Lengths {
  const reader = new Reader(pattern);
  const { lengths, anchored } = reader.alternatives();
  if (!reader.atEnd) return ANY;
  // Without both anchors, anything may stand around what is matched.
  return anchored ? lengths : { min: lengths.min, max: Infinity };
}

interface Found {
  lengths: Lengths;
  /** Whether every alternative begins with `^` and ends with `$`. */
  anchored: boolean;
}

class Reader {
  readonly #text: string[];
  #at = 0;

  constructor(pattern: string) {
    this.#text = [...pattern];
  }

  get atEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  alternatives(): Found {
    const found = [this.#sequence()];
    while (this.#take('|')) found.push(this.#sequence());
    return {
      lengths: {
        min: Math.min(...found.map(({ lengths }) => lengths.min)),
        max: Math.max(...found.map(({ lengths }) => lengths.max)),
      },
      anchored: found.every(({ anchored }) => anchored),
    };
  }

  #sequence(): Found {
    const parts: { lengths: Lengths; anchor: '^' | '$' | '' | 'both' }[] = [];
    while (!this.atEnd && !this.#sees('|') && !this.#sees(')')) parts.push(this.#quantified());
    const lengths = {
      min: parts.reduce((sum, part) => sum + part.lengths.min, 0),
      max: parts.reduce((sum, part) => sum + part.lengths.max, 0),
    };
    const [first, last] = [parts[0]?.anchor, parts.at(-1)?.anchor];
    const anchored = (first === '^' || first === 'both') && (last === '$' || last === 'both');
    return { lengths, anchored };
  }

  #quantified(): { lengths: Lengths; anchor: '^' | '$' | '' | 'both' } {
    const atom = this.#atom();
    const [least, most] = this.#quantifier();
    const product = (one: number, other: number) => (one === 0 || other === 0 ? 0 : one * other);
    return {
      lengths: { min: product(atom.lengths.min, least), max: product(atom.lengths.max, most) },
      anchor: least > 0 ? atom.anchor : '',
    };
  }

  #atom(): { lengths: Lengths; anchor: '^' | '$' | '' | 'both' } {
    const char = this.#text[this.#at++] ?? '';
    if (char === '^' || char === '$') return { lengths: NONE, anchor: char };
    if (char === '(') return this.#group();
    if (char === '[') {
      this.#class();
      return { lengths: { min: 1, max: 1 }, anchor: '' };
    }
    return { lengths: char === '\\' ? this.#escape() : { min: 1, max: 1 }, anchor: '' };
  }

  #group(): { lengths: Lengths; anchor: '' | 'both' } {
    const rest = this.#text.slice(this.#at, this.#at + 64).join('');
    const [opening = ''] = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(rest) ?? [];
    this.#at += opening.length;
    const { lengths, anchored } = this.alternatives();
    if (!this.#take(')')) this.#at = Infinity;
    const looks = /^\?<?[=!]$/.test(opening);
    return { lengths: looks ? NONE : lengths, anchor: anchored && !looks ? 'both' : '' };
  }

  #class(): void {
    while (!this.atEnd && !this.#take(']')) this.#at += this.#sees('\\') ? 2 : 1;
  }

  #escape(): Lengths {
    const char = this.#text[this.#at++] ?? '';
    if (char === 'b' || char === 'B') return NONE;
    // A reference to a group stands for whatever it has matched.
    if (/[1-9k]/.test(char)) return ANY;
    const rest = this.#text.slice(this.#at, this.#at + 64).join('');
    const [argument = ''] =
      (char === 'u' && /^(?:\{[\da-f]+\}|[\da-f]{4})/i.exec(rest)) ||
      (char === 'x' && /^[\da-f]{2}/i.exec(rest)) ||
      (char === 'c' && /^[a-z]/i.exec(rest)) ||
      (/p/i.test(char) && /^\{[^}]*\}/.exec(rest)) ||
      [];
    this.#at += argument.length;
    return { min: 1, max: 1 };
  }

  #quantifier(): [least: number, most: number] {
    const rest = this.#text.slice(this.#at, this.#at + 32).join('');
    const [all, sign, least, comma, most] = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(rest) ?? [];
    if (all === undefined) return [1, 1];
    this.#at += all.length;
    if (sign !== undefined) return [sign === '+' ? 1 : 0, sign === '?' ? 1 : Infinity];
    return [Number(least), comma === '' ? Number(least) : most === '' ? Infinity : Number(most)];
  }

  #sees(char: string): boolean {
    return this.#text[this.#at] === char;
  }

  #take(char: string): boolean {
    if (!this.#sees(char)) return false;
    this.#at += 1;
    return true;
  }
}
