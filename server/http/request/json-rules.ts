/** Repeated names and excessive sizes, which neither `JSON.parse` nor a schema refuses. One pass, before parsing. */
import { ApiError, invalidRequest } from '../../domain/api-error.ts';
import type { FieldError, FieldErrorCode } from '../../domain/types.ts';
import { pointerTo } from '../../openapi/document.ts';

/** Ten times the most of the contract (D36). Up to here, the validator reports each error; 1 MiB may have 95,000. */
const MOST = 1000;

/** The deepest value of the contract is within five others. */
const DEEPEST = 50;

/** An object or array around the place that is read. */
interface Around {
  /** The names of an object; undefined in an array. */
  names: Set<string> | undefined;
  /** The name or index that is read. */
  at: string | number;
}

/** @throws ApiError, or SyntaxError for some texts that are not JSON; others of them pass */
export function checkStructure(json: string): void {
  const around: Around[] = [];
  let inner: Around | undefined;
  let nameIsNext = false;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    switch (code) {
      case QUOTE: {
        const end = endOfText(json, at);
        if (nameIsNext && inner?.names) {
          const text = json.slice(at + 1, end);
          const name = text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
          inner.at = name;
          // `JSON.parse` would keep the last one, and a proxy may have checked the first (D35).
          if (inner.names.has(name)) {
            throw new ApiError(
              'malformed_request',
              'An object in the body has the same name twice.',
              [errorAt(around, 'repeated', 'occurs more than once in its object')],
            );
          }
          if (inner.names.size === MOST) {
            throw tooMany(around, 'properties');
          }
          inner.names.add(name);
          nameIsNext = false;
        }
        at = end;
        break;
      }
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        if (around.length > DEEPEST) {
          throw invalidRequest([
            errorAt(around, 'type', `must be nested in at most ${DEEPEST} arrays and objects`),
          ]);
        }
        nameIsNext = code === OPEN_OBJECT;
        inner = nameIsNext ? { names: new Set(), at: '' } : { names: undefined, at: 0 };
        around.push(inner);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        around.pop();
        inner = around.at(-1);
        nameIsNext = false;
        break;
      case COMMA:
        if (inner?.names) {
          nameIsNext = true;
        } else if (inner && (inner.at = Number(inner.at) + 1) === MOST) {
          throw tooMany(around, 'items');
        }
        break;
      default:
    }
  }
}

/** Codes: reading characters takes twice as long. */
const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

function errorAt(around: readonly Around[], code: FieldErrorCode, detail: string) {
  return { pointer: pointerTo(around.map((one) => String(one.at).toWellFormed())), code, detail };
}

function tooMany(around: readonly Around[], what: string): ApiError {
  return invalidRequest([
    errorAt(around.slice(0, -1), 'too_many', `must not have more than ${MOST} ${what} in all`),
  ]);
}

/** Where the text ends that begins with the quote at `start`. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let before = end;
    while (json[before - 1] === '\\') {
      before--;
    }
    // In pairs, backslashes stand for themselves.
    if ((end - before) % 2 === 0) {
      return end;
    }
  }
  return json.length;
}

/** The problem shows no more errors, and each costs its path. */
const MAX_ERRORS = 100;

/** Texts, names included, with lone surrogates, which JSON can write (`"\ud800"`) and UTF-8 cannot (D30). */
export function loneSurrogates(
  value: unknown,
  path: readonly string[] = [],
  found: FieldError[] = [],
): FieldError[] {
  if ([path.at(-1), value].some((text) => typeof text === 'string' && !text.isWellFormed())) {
    const pointer = pointerTo(path.map((name) => name.toWellFormed()));
    found.push({
      pointer,
      code: 'unicode',
      detail: 'has a lone surrogate, which cannot be written in UTF-8',
    });
  }
  for (const [name, inner] of typeof value === 'object' ? Object.entries(value ?? {}) : []) {
    if (found.length < MAX_ERRORS) {
      loneSurrogates(inner, [...path, name], found);
    }
  }
  return found;
}
