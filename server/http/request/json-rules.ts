/**
 * Repeated names and excessive sizes, which neither `JSON.parse` nor a schema refuses. One pass,
 * before parsing.
 */
import { ApiError, invalidRequest } from '../../domain/api-error.ts';
import type { FieldError, FieldErrorCode } from '../../domain/types.ts';
import { pointerTo } from '../../openapi/document.ts';

/**
 * Ten times the most of the contract (D36). Up to here, the validator reports each error; 1 MiB may
 * have 95,000.
 */
const MOST_ENTRIES = 1000;

/** The deepest value of the contract is within five others. */
const DEEPEST = 50;

/**
 * @param mostEntries of each object and array
 * @throws ApiError, or SyntaxError for some texts that are not JSON; others of them pass
 */
export function checkStructure(json: string, mostEntries = MOST_ENTRIES): void {
  new StructureCheck(json, mostEntries).run();
}

/** An object or array around the place that is read. */
interface OpenObject {
  names: Set<string>;
  /** The name that is read. */
  at: string;
}

interface OpenArray {
  names: undefined;
  /** The index that is read. */
  at: number;
}

type Container = OpenObject | OpenArray;

class StructureCheck {
  readonly #json: string;
  readonly #mostEntries: number;
  readonly #containers: Container[] = [];
  #innermost: Container | undefined;
  /** Whether the next text is the name of a property. */
  #nameIsNext = false;

  constructor(json: string, mostEntries: number) {
    this.#json = json;
    this.#mostEntries = mostEntries;
  }

  run(): void {
    for (let at = 0; at < this.#json.length; at++) {
      switch (this.#json[at]) {
        case '"': {
          const end = this.#endOfText(at);
          this.#readText(this.#json.slice(at + 1, end));
          at = end;
          break;
        }
        case '{':
          this.#open({ names: new Set(), at: '' });
          break;
        case '[':
          this.#open({ names: undefined, at: 0 });
          break;
        case '}':
        case ']':
          this.#close();
          break;
        case ',':
          this.#nextEntry();
          break;
        default:
      }
    }
  }

  /** @returns the place of the quote that ends the text which the quote at `start` begins */
  #endOfText(start: number): number {
    let end = this.#json.indexOf('"', start + 1);
    while (end >= 0 && this.#isEscaped(end)) {
      end = this.#json.indexOf('"', end + 1);
    }
    return end < 0 ? this.#json.length : end;
  }

  /** Behind an odd number of backslashes: in pairs, they stand for themselves. */
  #isEscaped(quote: number): boolean {
    let before = quote;
    while (this.#json[before - 1] === '\\') {
      before -= 1;
    }
    return (quote - before) % 2 === 1;
  }

  #readText(text: string): void {
    const object = this.#innermost;
    if (!this.#nameIsNext || object?.names === undefined) {
      return;
    }
    const name = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
    object.at = name;
    // `JSON.parse` would keep the last one, and a proxy may have checked the first (D35).
    if (object.names.has(name)) {
      const detail = 'An object in the body has the same name twice.';
      const error = this.#errorHere('repeated', 'occurs more than once in its object');
      throw new ApiError('malformed_request', detail, [error]);
    }
    if (object.names.size === this.#mostEntries) {
      throw this.#tooMany('properties');
    }
    object.names.add(name);
    this.#nameIsNext = false;
  }

  #open(container: Container): void {
    if (this.#containers.length > DEEPEST) {
      const detail = `must be nested in at most ${DEEPEST} arrays and objects`;
      throw invalidRequest([this.#errorHere('type', detail)]);
    }
    this.#containers.push(container);
    this.#innermost = container;
    this.#nameIsNext = container.names !== undefined;
  }

  #close(): void {
    this.#containers.pop();
    this.#innermost = this.#containers.at(-1);
    this.#nameIsNext = false;
  }

  #nextEntry(): void {
    const container = this.#innermost;
    if (container === undefined) {
      return;
    }
    if (container.names !== undefined) {
      this.#nameIsNext = true;
      return;
    }
    container.at += 1;
    if (container.at === this.#mostEntries) {
      throw this.#tooMany('items');
    }
  }

  #tooMany(what: string): ApiError {
    // The array or object itself, and not its entry.
    this.#containers.pop();
    const detail = `must not have more than ${this.#mostEntries} ${what} in all`;
    return invalidRequest([this.#errorHere('too_many', detail)]);
  }

  #errorHere(code: FieldErrorCode, detail: string): FieldError {
    const path = this.#containers.map(({ at }) => String(at).toWellFormed());
    return { pointer: pointerTo(path), code, detail };
  }
}

/** The problem shows no more errors, and each costs its path. */
const MAX_ERRORS = 100;

/**
 * Texts and names with lone surrogates, which JSON can write (`"\ud800"`) and UTF-8 cannot (D30).
 *
 * @param path the place of the value
 * @param found the errors so far
 */
export function loneSurrogates(
  value: unknown,
  path: readonly string[] = [],
  found: FieldError[] = [],
): FieldError[] {
  const name = path.at(-1) ?? '';
  const text = typeof value === 'string' ? value : '';
  if (!name.isWellFormed() || !text.isWellFormed()) {
    const pointer = pointerTo(path.map((one) => one.toWellFormed()));
    const detail = 'has a lone surrogate, which cannot be written in UTF-8';
    found.push({ pointer, code: 'unicode', detail });
  }
  if (typeof value !== 'object' || value === null) {
    return found;
  }
  for (const [inner, one] of Object.entries(value)) {
    if (found.length < MAX_ERRORS) {
      loneSurrogates(one, [...path, inner], found);
    }
  }
  return found;
}
