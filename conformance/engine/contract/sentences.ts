/**
 * The sentences of `info.description` with their sections. Paragraphs are split at their full stops; an item of a list and
 * a row of a table are one sentence each. Code and headings are left out.
 */
import type { Contract } from './load.ts';

export interface Sentence {
  /** Its section, such as `info.field-errors`. */
  id: string;
  /** As it is written, with line breaks as spaces. */
  text: string;
}

export function sentencesOf({ document }: Pick<Contract, 'document'>): Sentence[] {
  const { description = '' } = document['info'] as { description?: string };
  let id = 'info.introduction';
  return blocksOf(description).flatMap((block) => {
    const [, heading] = /^#+ (.+)$/.exec(block) ?? [];
    if (heading === undefined) return textsOf(block).map((text) => ({ id, text }));
    id = `info.${slugOf(heading)}`;
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
