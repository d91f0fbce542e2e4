/**
 * The sentences of `info.description`, and of the descriptions of tags, with their sections. Paragraphs are split at
 * their full stops; an item of a list and a row of a table are one sentence each. Code and headings are left out.
 */
import type { Contract } from './load.ts';

export interface Sentence {
  /** Its section, such as `info.field-errors` or `tags.routes`. */
  id: string;
  /** As it is written, with line breaks as spaces. */
  text: string;
}

export function sentencesOf({ document }: Pick<Contract, 'document'>): Sentence[] {
  const { description = '' } = document['info'] as { description?: string };
  const tags = (document['tags'] ?? []) as { name: string; description?: string }[];
  return [
    ...sectionsOf('info', 'introduction', description),
    ...tags.flatMap(({ name, description: text = '' }) => sectionsOf('tags', name, text)),
  ];
}

function sectionsOf(where: string, first: string, description: string): Sentence[] {
  let id = `${where}.${slugOf(first)}`;
  return blocksOf(description).flatMap((block) => {
    const [, heading] = /^#+ (.+)$/.exec(block) ?? [];
    if (heading === undefined) return textsOf(block).map((text) => ({ id, text }));
    id = `${where}.${slugOf(heading)}`;
    return [];
  });
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
