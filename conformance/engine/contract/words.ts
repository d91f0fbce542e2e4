/** What a contract says in words of its parts. */
import type { Contract } from './load.ts';
import { isObject, valueAt } from './pointers.ts';

const SENTENCE = /[^.!?]+[.!?]?/g;

/** The sentences of a text, each with its mark at the end; a line break is a space. */
export function sentencesIn(text: string): string[] {
  return text.replaceAll(/\s+/g, ' ').match(SENTENCE) ?? [];
}

/** The summary and the description of each of the objects at these pointers. */
export function wordsAt({ document }: Contract, ...pointers: readonly string[]): string {
  const texts: string[] = [];
  for (const pointer of pointers) {
    const place = valueAt(document, pointer);
    if (isObject(place)) {
      const own = [place['summary'], place['description']];
      texts.push(...own.filter((one) => typeof one === 'string'));
    }
  }
  return texts.join('\n');
}
