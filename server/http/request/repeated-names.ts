/**
 * Names that stand twice in one object of a body (D35). `JSON.parse` keeps the last one and says nothing, so that what was
 * sent before it would be lost in silence, and a proxy that keeps the first would have checked another body than we do.
 *
 * The costly search is rarely made: where a text writes as many names as its value has, none was dropped. That costs about
 * a fifth of parsing.
 */
import type { FieldError } from '../../domain/types.ts';
import { pointerTo } from '../response/json-pointer.ts';

/**
 * The first such name; undefined where every object has each name once. Takes time in proportion to the body.
 * @param json well-formed
 * @param value what `JSON.parse` made of it
 */
export function repeatedName(json: string, value: unknown): FieldError | undefined {
  if (namesIn(json) === namesOf(value)) return undefined;
  const path = findRepeated(json);
  return path && { pointer: pointerTo(path), code: 'repeated', detail: 'is more than once in its object' };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * How many names a text writes; undefined where one of them has an escape: JSON.parse of Node 24 keeps both of two such
 * names at times, so that their number tells nothing.
 */
function namesIn(json: string): number | undefined {
  let names = 0;
  let escape = nextEscape(json, 0);
  for (let at = json.indexOf(':'); at >= 0; at = json.indexOf(':', at + 1)) {
    let end = at - 1;
    while (isSpace(json.charCodeAt(end))) end--;
    if (json.charCodeAt(end) !== QUOTE) continue;
    // An escaped quote stands within a text; any other one before a colon ends a name.
    if (backslashesBefore(json, end) % 2 === 1) continue;
    const start = json.lastIndexOf('"', end - 1);
    // What is found once is kept, so that a text is searched no more than once for it.
    if (escape < start - 1) escape = nextEscape(json, start - 1);
    if (escape < end) return undefined;
    names++;
  }
  return names;
}

function nextEscape(json: string, from: number): number {
  const at = json.indexOf('\\', from);
  return at < 0 ? Infinity : at;
}

function backslashesBefore(json: string, end: number): number {
  let at = end - 1;
  while (json.charCodeAt(at) === BACKSLASH) at--;
  return end - 1 - at;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Iterative, so that depth costs no stack. */
function namesOf(root: unknown): number {
  let names = 0;
  const rest = [root];
  while (rest.length > 0) {
    const value = rest.pop();
    if (typeof value !== 'object' || value === null) continue;
    const inner = Object.values(value);
    if (!Array.isArray(value)) names += inner.length;
    for (const one of inner) if (typeof one === 'object') rest.push(one);
  }
  return names;
}

/** An object or list around the place that is read. */
interface Around {
  /** Of an object; undefined in a list. */
  names: Set<string> | undefined;
  /** What is read in it: a name, or an index. */
  at: string | number;
}

/** The path of the first name that its object had before. */
function findRepeated(json: string): string[] | undefined {
  const around: Around[] = [];
  let nameIsNext = false;
  for (let at = 0; at < json.length; at++) {
    const inner = around.at(-1);
    switch (json[at]) {
      case '"': {
        const end = endOfText(json, at);
        if (nameIsNext && inner?.names) {
          inner.at = JSON.parse(json.slice(at, end + 1)) as string;
          if (inner.names.has(inner.at)) return around.map((one) => String(one.at).toWellFormed());
          inner.names.add(inner.at);
          nameIsNext = false;
        }
        at = end;
        break;
      }
      case '{':
        around.push({ names: new Set(), at: '' });
        nameIsNext = true;
        break;
      case '[':
        around.push({ names: undefined, at: 0 });
        nameIsNext = false;
        break;
      case '}':
      case ']':
        around.pop();
        nameIsNext = false;
        break;
      case ',':
        if (inner?.names) nameIsNext = true;
        else if (inner) inner.at = Number(inner.at) + 1;
        break;
      default:
    }
  }
  return undefined;
}

/** Where the text ends that begins with the quote at `start`. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
    // In pairs, they stand for themselves.
    if (backslashesBefore(json, end) % 2 === 0) return end;
  }
}
