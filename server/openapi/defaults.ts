/**
 * Fills in each `default` of a schema, also in the schemas within it. Null counts as omitted if the
 * default is not null (D04). It is for values that are valid already.
 */
import { isObject, type JsonObject, listIn, objectIn, resolve } from './document.ts';

/**
 * Changes objects and arrays in place.
 *
 * @returns the value, or the default if the value itself was omitted
 */
export type FillDefaults = (value: unknown) => unknown;

const leave: FillDefaults = (value) => value;

/** A schema without any of these keywords fills nothing in. */
const FILLING = [
  'default',
  'properties',
  'additionalProperties',
  'items',
  'allOf',
  'oneOf',
  'anyOf',
];

export function compileDefaults(document: JsonObject, schema: JsonObject): FillDefaults {
  return new Compiler(document).compile(schema);
}

/** Fills defaults into an object or array in place. */
type Step<T> = (value: T) => void;

class Compiler {
  readonly #document: JsonObject;
  readonly #compiled = new Map<JsonObject, FillDefaults>();

  constructor(document: JsonObject) {
    this.#document = document;
  }

  compile(schema: unknown): FillDefaults {
    if (!isObject(schema) || !this.#fillsIn(schema)) {
      return leave;
    }
    const known = this.#compiled.get(schema);
    if (known !== undefined) {
      return known;
    }
    const fill = this.#whenNeeded(schema);
    this.#compiled.set(schema, fill);
    return fill;
  }

  #fillsIn(schema: JsonObject): boolean {
    const resolved = resolve(this.#document, schema);
    return FILLING.some((keyword) => keyword in resolved);
  }

  /** Compiles the schema at the first value: a schema may contain itself. */
  #whenNeeded(schema: JsonObject): FillDefaults {
    let fill: FillDefaults | undefined;
    return (value) => {
      fill ??= this.#fillerOf(resolve(this.#document, schema));
      return fill(value);
    };
  }

  #fillerOf(schema: JsonObject): FillDefaults {
    const fallback = fallbackOf(schema['default']);
    const arraySteps: Step<unknown[]>[] = [
      ...this.#partsFor('array', schema),
      eachItem(this.compile(schema['items'])),
    ];
    const objectSteps: Step<JsonObject>[] = [
      ...this.#partsFor('object', schema),
      this.#properties(schema),
    ];
    return (sent) => {
      const value = fallback(sent);
      if (Array.isArray(value)) {
        run(arraySteps, value);
      } else if (isObject(value)) {
        run(objectSteps, value);
      }
      return value;
    };
  }

  /**
   * All of `allOf`, and those of `oneOf` and `anyOf` that have the type: no others apply
   * (support.ts).
   */
  #partsFor(type: 'array' | 'object', schema: JsonObject): FillDefaults[] {
    const alternatives = [...listIn(schema, 'oneOf'), ...listIn(schema, 'anyOf')];
    const fitting = alternatives.filter((one) => {
      const types = [resolve(this.#document, one)['type']].flat();
      return types.includes(type);
    });
    return [...listIn(schema, 'allOf'), ...fitting].map((part) => this.compile(part));
  }

  #properties(schema: JsonObject): Step<JsonObject> {
    const declared = new Map<string, FillDefaults>();
    for (const [name, property] of Object.entries(objectIn(schema, 'properties'))) {
      declared.set(name, this.compile(property));
    }
    const filling = [...declared].filter(([, fill]) => fill !== leave);
    const fillOther = this.compile(schema['additionalProperties']);
    return (values) => {
      for (const [name, fill] of filling) {
        const filled = fill(values[name]);
        if (filled !== undefined) {
          values[name] = filled;
        }
      }
      if (fillOther !== leave) {
        const others = Object.keys(values).filter((name) => !declared.has(name));
        for (const name of others) {
          values[name] = fillOther(values[name]);
        }
      }
    };
  }
}

function run<T>(steps: readonly Step<T>[], value: T): void {
  for (const step of steps) {
    step(value);
  }
}

/** @returns a function that returns what was sent, or the default if it was omitted */
function fallbackOf(fallback: unknown): FillDefaults {
  if (fallback === undefined) {
    return leave;
  }
  const isOmitted = (sent: unknown) => sent === undefined || (sent === null && fallback !== null);
  // Each value gets a copy: what is filled in later changes it.
  const copy = typeof fallback === 'object' ? () => structuredClone(fallback) : () => fallback;
  return (sent) => (isOmitted(sent) ? copy() : sent);
}

function eachItem(fill: FillDefaults): (items: unknown[]) => void {
  return (items) => {
    if (fill === leave) {
      return;
    }
    for (const [index, item] of items.entries()) {
      items[index] = fill(item);
    }
  };
}
