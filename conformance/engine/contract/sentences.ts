/**
 * The sentences of `info.description`, each with an id from its section, such as `info.errors.3`. Paragraphs are split at
 * their full stops; an item of a list and a row of a table are one sentence each. Code and headings are left out.
 */
import type { Contract } from './load.ts';
import { isObject } from './pointers.ts';

export interface Sentence {
  id: string;
  /** As it is written, with line breaks as spaces. */
  text: string;
}

export function sentencesOf({ document }: Pick<Contract, 'document'>): Sentence[] {
  const info = document['info'];
  const description = isObject(info) && typeof info['description'] === 'string' ? info['description'] : '';
  const counts = new Map<string, number>();
  let section = 'introduction';
  const sentences: Sentence[] = [];
  for (const block of blocksOf(description)) {
    const [, heading] = /^#+ (.+)$/.exec(block) ?? [];
    if (heading !== undefined) section = slugOf(heading);
    for (const text of heading === undefined ? textsOf(block) : []) {
      const count = (counts.get(section) ?? 0) + 1;
      counts.set(section, count);
      sentences.push({ id: `info.${section}.${count}`, text });
    }
  }
  return sentences;
}

function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Paragraphs, headings, whole tables and items of lists; without code. */
function blocksOf(description: string): string[] {
  return description
    .replaceAll(/^```[\s\S]*?^```$/gm, '')
    .split(/\n{2,}|\n(?=[-#] )|(?<=^#.*)\n/m)
    .map((block) => block.trim())
    .filter((block) => block !== '');
}

/** A full stop, perhaps before a closing mark, and then the beginning of a sentence. */
const END = /(?<=\.[)`*"]{0,3})\s+(?=[*`"A-Z0-9])/;

function textsOf(block: string): string[] {
  if (block.startsWith('|')) return block.split('\n').slice(2);
  return block.replaceAll(/\s+/g, ' ').replace(/^- /, '').split(END);
}
