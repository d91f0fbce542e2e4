/**
 * Finds the texts of one format in a value. Its length and the number of items around it come
 * first: a text that is refused for these is not found.
 */
import { innerSchemas, isObject, type JsonObject, listIn, objectIn, resolve } from './document.ts';

export interface PlacedText {
  path: readonly string[];
  text: string;
}

/** Adds the texts of a value at this path to those that were found. */
type Visit = (value: unknown, path: readonly string[], found: PlacedText[]) => void;

export class TextsOfFormat {
  readonly #document: JsonObject;
  readonly #format: string;
  /** The number of places of the format that it visits. */
  #places = 0;

  constructor(document: JsonObject, format: string) {
    this.#document = document;
    this.#format = format;
  }

  /**
   * @param schema does not contain itself
   * @returns a function that finds all texts in a value; undefined if the schema has none that it
   * could find, and `missed` says whether there are others, such as in a condition
   */
  finderFor(schema: JsonObject): { find: FindTexts | undefined; missed: boolean } {
    this.#places = 0;
    const visit = this.#compile(schema);
    const missed = this.placesIn(schema) > this.#places;
    if (visit === undefined) {
      return { find: undefined, missed };
    }
    const find = (value: unknown) => {
      const found: PlacedText[] = [];
      visit(value, [], found);
      return found;
    };
    return { find, missed };
  }

  /** The number of places of the format in a schema. */
  placesIn(schema: JsonObject): number {
    const resolved = resolve(this.#document, schema);
    const own = resolved['format'] === this.#format ? 1 : 0;
    const inner = innerSchemas(resolved).map((one) => this.placesIn(one.schema));
    return inner.reduce((sum, one) => sum + one, own);
  }

  #compile(schema: unknown): Visit | undefined {
    if (!isObject(schema)) {
      return undefined;
    }
    const resolved = resolve(this.#document, schema);
    const alternatives = ['allOf', 'anyOf', 'oneOf'].flatMap((name) => listIn(resolved, name));
    return both([
      this.#text(resolved),
      this.#items(resolved),
      this.#properties(resolved),
      this.#otherProperties(resolved),
      ...alternatives.map((one) => this.#compile(one)),
    ]);
  }

  #text({ format, maxLength }: JsonObject): Visit | undefined {
    if (format !== this.#format) {
      return undefined;
    }
    this.#places += 1;
    const most = mostOf(maxLength);
    return (text, path, found) => {
      if (typeof text === 'string' && hasAtMost(most, text)) {
        found.push({ path, text });
      }
    };
  }

  #items({ items, maxItems }: JsonObject): Visit | undefined {
    const visit = this.#compile(items);
    const most = mostOf(maxItems);
    return (
      visit &&
      ((list, path, found) => {
        if (Array.isArray(list) && list.length <= most) {
          for (const [index, item] of list.entries()) {
            visit(item, [...path, String(index)], found);
          }
        }
      })
    );
  }

  #properties(schema: JsonObject): Visit | undefined {
    const visits = new Map<string, Visit>();
    for (const [name, property] of Object.entries(objectIn(schema, 'properties'))) {
      const visit = this.#compile(property);
      if (visit !== undefined) {
        visits.set(name, visit);
      }
    }
    if (visits.size === 0) {
      return undefined;
    }
    return (value, path, found) => {
      for (const [name, visit] of visits) {
        if (isObject(value) && Object.hasOwn(value, name)) {
          visit(value[name], [...path, name], found);
        }
      }
    };
  }

  #otherProperties(schema: JsonObject): Visit | undefined {
    const visit = this.#compile(schema['additionalProperties']);
    const known = new Set(Object.keys(objectIn(schema, 'properties')));
    const most = mostOf(schema['maxProperties']);
    return (
      visit &&
      ((value, path, found) => {
        const entries = isObject(value) ? Object.entries(value) : [];
        if (entries.length > most) {
          return;
        }
        for (const [name, one] of entries) {
          if (!known.has(name)) {
            visit(one, [...path, name], found);
          }
        }
      })
    );
  }
}

export type FindTexts = (value: unknown) => PlacedText[];

/** Whether a text has at most so many characters, which are one or two UTF-16 code units each. */
export function hasAtMost(most: number, text: string): boolean {
  return text.length <= most || (text.length <= 2 * most && [...text].length <= most);
}

function mostOf(keyword: unknown): number {
  return typeof keyword === 'number' ? keyword : Infinity;
}

function both(visits: readonly (Visit | undefined)[]): Visit | undefined {
  const [first, ...others] = visits.filter((one) => one !== undefined);
  if (first === undefined || others.length === 0) {
    return first;
  }
  return (value, path, found) => {
    for (const visit of [first, ...others]) {
      visit(value, path, found);
    }
  };
}
