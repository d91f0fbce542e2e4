/**
 * Bodies that are far wider or deeper than the contract allows anywhere. They are refused before the validator: its check
 * for repeated items compares each with each, which takes minutes for what fits into 1 MiB, and it reports every single
 * unknown property.
 */
import type { FieldError } from '../../domain/types.ts';
import { type Place, pointerAt } from '../response/json-pointer.ts';

/** Ten times the most that the contract allows (D36). Up to here, the validator reports exactly what is wrong. */
const MOST = 1000;

/** The deepest value of the contract is within five others. */
const DEEPEST = 50;

interface DeepPlace extends Place {
  around: DeepPlace | undefined;
  depth: number;
}

/**
 * The first such place; undefined where there is none.
 * @param json the text that the body was read from: one that is too short for it, and opens few objects and lists, is not walked
 */
export function placeBeyondLimits(json: string, body: unknown): FieldError | undefined {
  // An item takes two characters, with its comma.
  if (json.length < 2 * MOST && count(json, '{', DEEPEST) + count(json, '[', DEEPEST) <= DEEPEST) return undefined;
  const rest: { value: unknown; place: DeepPlace | undefined }[] = [{ value: body, place: undefined }];
  for (let next = rest.pop(); next; next = rest.pop()) {
    const { value, place } = next;
    if (typeof value !== 'object' || value === null) continue;
    const depth = place?.depth ?? 0;
    if (depth > DEEPEST)
      return {
        pointer: pointerAt(place),
        code: 'type',
        detail: `must not be nested in more than ${DEEPEST} arrays and objects`,
      };
    const inner = Object.entries(value);
    if (inner.length > MOST) {
      const what = Array.isArray(value) ? 'items' : 'properties';
      return {
        pointer: pointerAt(place),
        code: 'too_many',
        detail: `must not have more than ${MOST} ${what} in all`,
      };
    }
    for (const [name, one] of inner)
      if (typeof one === 'object' && one !== null)
        rest.push({ value: one, place: { name, around: place, depth: depth + 1 } });
  }
  return undefined;
}

/** How often it stands in a text; counted up to just beyond `most`. */
function count(text: string, character: string, most: number): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0 && found <= most; at = text.indexOf(character, at + 1)) found++;
  return found;
}
