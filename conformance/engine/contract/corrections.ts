/**
 * Mistakes in schemas whose meaning is clear. They are read as they are meant, with a warning: read
 * to the letter, no value would keep the rule, or no validator would take the schema.
 */
import { firstInWords, joinPointer } from './pointers.ts';

type Schema = Record<string, unknown>;

interface Correction {
  keyword: string;
  /** The beginning of a sentence that ends with the places. */
  warning: string;
  /** The value that is meant; undefined if there is no such mistake. */
  meant(value: unknown): unknown;
}

const CORRECTIONS: readonly Correction[] = [
  {
    keyword: 'type',
    warning: 'null without quotes is read as the type "null"',
    meant: typeWithQuotes,
  },
  {
    keyword: 'pattern',
    warning: 'A pattern between slashes, as programs write it, is read without them',
    meant: withoutSlashes,
  },
];

/** `type: [string, null]` in YAML (JSON Schema 2020-12, Validation, 6.1.1: types are strings). */
function typeWithQuotes(type: unknown): unknown {
  if (type === null) {
    return 'null';
  }
  if (Array.isArray(type) && type.includes(null)) {
    return type.map((one: unknown) => one ?? 'null');
  }
  return undefined;
}

/**
 * From the start of a text, or to its end, or with a condition on all that follows: nobody means a
 * slash before the one or behind the other. `/a/` may be a part of a path.
 */
const BETWEEN_SLASHES = /^\/(?<inside>\^.*|\(\?[=!].*|.*\$)\/(?<flags>[giu]*)$/s;

/** `pattern: /^[a-z]+$/i` (JSON Schema 2020-12, Core, 6.4: the pattern has no delimiters). */
function withoutSlashes(pattern: unknown): unknown {
  const { inside, flags = '' } = BETWEEN_SLASHES.exec(String(pattern))?.groups ?? {};
  if (inside === undefined) {
    return undefined;
  }
  if (flags.includes('i')) {
    return `(?i)${inside}`;
  }
  return inside;
}

/** Finds the mistakes in the schemas of a document. */
export class Corrections {
  readonly #places = new Map<Correction, string[]>();

  /** Changes the schema at a pointer to what is meant. */
  correct(schema: Schema, pointer: string): void {
    for (const correction of CORRECTIONS) {
      const { keyword } = correction;
      const meant = keyword in schema ? correction.meant(schema[keyword]) : undefined;
      if (meant !== undefined) {
        schema[keyword] = meant;
        const places = this.#places.get(correction) ?? [];
        places.push(joinPointer(pointer, keyword));
        this.#places.set(correction, places);
      }
    }
  }

  /** A sentence for each kind of mistake. */
  warnings(): string[] {
    return [...this.#places].map(([{ warning }, places]) => `${warning}: ${firstInWords(places)}.`);
  }
}
