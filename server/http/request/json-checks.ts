/**
 * Properties of a JSON body that `JSON.parse` accepts and no schema can state: its size and depth, lone surrogates, and
 * names that occur twice in one object. All checks are iterative, so that depth costs no stack.
 */
import type { FieldError } from '../../domain/types.ts';
import { pointerTo } from '../../openapi/document.ts';

/** Ten times the most that the contract allows (D36). Up to here, the validator reports exactly what is wrong. */
const MOST = 1000;

/** The deepest value of the contract is within five others. */
const DEEPEST = 50;

/** The problem shows no more errors, and each costs its path. */
const MAX_ERRORS = 100;

/** A place in a body, known by the one around it: a body may be deeper than each of its paths can be written out. */
interface Place {
  name: string;
  around: Place | undefined;
  depth: number;
}

/** @param place undefined: the body itself. Replaces what is not Unicode in names, so that the pointer can be sent */
function pointerAt(place: Place | undefined): string {
  const path: string[] = [];
  for (let at = place; at; at = at.around) path.push(at.name.toWellFormed());
  return pointerTo(path.toReversed());
}

/** Every value of a body with its place; what is in an object or array follows later, unless the loop ends before. */
function* valuesIn(body: unknown): Generator<{ value: unknown; place: Place | undefined }> {
  const rest: { value: unknown; place: Place | undefined }[] = [{ value: body, place: undefined }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next;
    const { value, place } = next;
    if (typeof value !== 'object' || value === null) continue;
    const depth = (place?.depth ?? 0) + 1;
    for (const [name, inner] of Object.entries(value))
      rest.push({ value: inner, place: { name, around: place, depth } });
  }
}

/**
 * The first place that is far wider or deeper than the contract allows anywhere; undefined where there is none. To be refused
 * before validation: the check for repeated items compares each with each, which takes minutes for 1 MiB, and every single
 * unknown property is reported.
 */
export function placeBeyondLimits(body: unknown): FieldError | undefined {
  for (const { value, place } of valuesIn(body)) {
    if (typeof value !== 'object' || value === null) continue;
    const pointer = () => pointerAt(place);
    if ((place?.depth ?? 0) > DEEPEST)
      return {
        pointer: pointer(),
        code: 'type',
        detail: `must not be nested in more than ${DEEPEST} arrays and objects`,
      };
    if (Object.keys(value).length > MOST) {
      const what = Array.isArray(value) ? 'items' : 'properties';
      return { pointer: pointer(), code: 'too_many', detail: `must not have more than ${MOST} ${what} in all` };
    }
  }
  return undefined;
}

/** Texts of the value, names included, with a lone surrogate, which JSON can write (`"\ud800"`) and UTF-8 cannot (D30). */
export function loneSurrogates(body: unknown): FieldError[] {
  const errors: FieldError[] = [];
  for (const { value, place } of valuesIn(body)) {
    const texts = [place?.name, value];
    if (!texts.some((text) => typeof text === 'string' && !text.isWellFormed())) continue;
    const detail = 'has a lone surrogate, which cannot be written in UTF-8';
    errors.push({ pointer: pointerAt(place), code: 'unicode', detail });
    if (errors.length === MAX_ERRORS) break;
  }
  return errors;
}

/** An object or array around the place that is read. */
interface Around {
  /** The names of an object; undefined in an array. */
  names: Set<string> | undefined;
  /** The name or index that is read. */
  at: string | number;
}

/**
 * The first name that occurs twice in its object (D35); undefined where there is none. `JSON.parse` keeps the last one
 * silently: what was sent before it would be lost, and a proxy that keeps the first would have checked another body.
 * Takes time in proportion to the body.
 * @param json well-formed
 */
export function repeatedName(json: string): FieldError | undefined {
  const around: Around[] = [];
  let nameIsNext = false;
  for (let at = 0; at < json.length; at++) {
    const inner = around.at(-1);
    switch (json[at]) {
      case '"': {
        const end = endOfText(json, at);
        if (nameIsNext && inner?.names) {
          inner.at = JSON.parse(json.slice(at, end + 1)) as string;
          if (inner.names.has(inner.at)) {
            const pointer = pointerTo(around.map((one) => String(one.at).toWellFormed()));
            return { pointer, code: 'repeated', detail: 'occurs more than once in its object' };
          }
          inner.names.add(inner.at);
          nameIsNext = false;
        }
        at = end;
        break;
      }
      case '{':
      case '[':
        nameIsNext = json[at] === '{';
        around.push({ names: nameIsNext ? new Set() : undefined, at: nameIsNext ? '' : 0 });
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
    let before = end;
    while (json[before - 1] === '\\') before--;
    // In pairs, backslashes stand for themselves.
    if ((end - before) % 2 === 0) return end;
  }
}
