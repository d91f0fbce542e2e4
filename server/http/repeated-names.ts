/**
 * Names that stand twice in one object of a body (D35). `JSON.parse` keeps the last one and says nothing, so that what was
 * sent before it would be lost in silence, and a proxy that keeps the first would have judged another body than we do.
 *
 * The costly search is rarely made: a text has a colon behind each name, so that where it has no more of them than the
 * value has names, none was dropped. This costs about a fifth of parsing; names are looked at only where the two differ,
 * which JSON in a text of the body does, too.
 */
import type { FieldError } from '../domain/types.ts';
import { pointerTo } from './pointer.ts';

/**
 * The first such name; undefined where every object has each name once. Takes time in proportion to the body.
 * @param json well-formed
 * @param value what `JSON.parse` made of it
 */
export function repeatedName(json: string, value: unknown): FieldError | undefined {
  // Of two names that are written with escapes, JSON.parse of Node 24 keeps both at times: then numbers tell nothing.
  if (!json.includes('\\') && namesIn(json) === namesOf(value)) return undefined;
  const path = findRepeated(json);
  return path && { pointer: pointerTo(path), code: 'repeated', detail: 'stands more than once in its object' };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** How many names a text has, or more: colons behind a quote, also those inside of texts. */
function namesIn(json: string): number {
  let names = 0;
  for (let at = json.indexOf(':'); at >= 0; at = json.indexOf(':', at + 1)) {
    let before = at - 1;
    while (isSpace(json.charCodeAt(before))) before--;
    if (json.charCodeAt(before) === QUOTE) names++;
  }
  return names;
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
    let before = end - 1;
    while (json.charCodeAt(before) === BACKSLASH) before--;
    // Backslashes in pairs stand for themselves.
    if ((end - before) % 2 === 1) return end;
  }
}
