/** All that differs between two contracts, whether it breaks something or not. */
import { isObject, type Json } from '../page/json.ts';

/** A text that only one of the two contracts has at a place. */
export interface Difference {
  /** JSON pointer. */
  place: string;
  kind: 'added' | 'removed';
  /** A sentence or a row of a table; a value as JSON. */
  text: string;
}

/** Texts are compared sentence by sentence: the places of line breaks do not matter. */
export function differencesOf(before: Json, after: Json): Difference[] {
  const found: Difference[] = [];
  collect(before, after, '', found);
  return found;
}

function collect(before: unknown, after: unknown, place: string, found: Difference[]): void {
  if (isObject(before) && isObject(after)) {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      collect(before[name], after[name], joinPointer(place, name), found);
    }
    return;
  }
  const old = partsOf(before);
  const current = partsOf(after);
  for (const text of old.filter((part) => !current.includes(part))) {
    found.push({ place, kind: 'removed', text });
  }
  for (const text of current.filter((part) => !old.includes(part))) {
    found.push({ place, kind: 'added', text });
  }
}

function joinPointer(place: string, name: string): string {
  return `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Between paragraphs, rows of a table and items of a list. */
const BLOCKS = /\n{2,}|\n(?=[|-])/;
const SENTENCES = /(?<=[.:])\s+(?=[*`"A-Z0-9])/;

/** The sentences of a text, or the value as JSON; none of a value that is missing. */
function partsOf(value: unknown): string[] {
  if (value === undefined) {
    return [];
  }
  if (typeof value !== 'string') {
    return [JSON.stringify(value)];
  }
  const blocks = value.trim().split(BLOCKS);
  return blocks.flatMap((block) => block.replaceAll(/\s+/g, ' ').split(SENTENCES));
}
