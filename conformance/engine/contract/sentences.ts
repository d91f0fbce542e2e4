/** The sentences of `info.description` and of the descriptions of tags, by section; without code and headings. */
import type { Contract } from './load.ts';

/** A full stop, perhaps before a closing mark, and then the beginning of a sentence. */
const END = /(?<=\.[)`*"]{0,3})\s+(?=[*`"A-Z0-9])/;

/** Paragraphs are split at full stops; an item of a list or a row is one sentence. `id`: such as `tags.routes`. */
export function sentencesOf({ document }: Pick<Contract, 'document'>): { id: string; text: string }[] {
  const { description = '' } = document['info'] as { description?: string };
  const tags = (document['tags'] ?? []) as { name: string; description?: string }[];
  return [
    ...sectionsOf('info', 'introduction', description),
    ...tags.flatMap(({ name, description: text = '' }) => sectionsOf('tags', name, text)),
  ];
}

function sectionsOf(where: string, first: string, description: string) {
  const withoutCode = description.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return `# ${first}\n${withoutCode}`.split(/^#+ /m).flatMap((section) => {
    const [heading = '', ...lines] = section.split('\n');
    const slug = heading
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '');
    const blocks = lines.join('\n').split(/\n{2,}|\n(?=- )/);
    return blocks.flatMap((block) => textsOf(block.trim()).map((text) => ({ id: `${where}.${slug}`, text })));
  });
}

function textsOf(block: string): string[] {
  if (block === '') return [];
  if (block.startsWith('|')) return block.split('\n').slice(2);
  return block.replaceAll(/\s+/g, ' ').replace(/^- /, '').split(END);
}
