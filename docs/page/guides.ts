/** What the page links to and holds itself, so that it needs no network: guides of this repository, and the changelog. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const GUIDES = [
  { tag: 'clients', title: 'Clients', file: 'docs/generate-a-client.md' },
  { tag: 'typescript', title: 'TypeScript client', file: 'clients/typescript/README.md' },
  { tag: 'reference-server', title: 'Reference server', file: 'docs/run-the-server.md' },
  { tag: 'testing', title: 'Test a client', file: 'docs/test-a-client.md' },
  { tag: 'write-a-server', title: 'Write a server', file: 'docs/write-a-server.md' },
  { tag: 'changelog', title: 'Changelog', file: 'CHANGELOG.md' },
];

export interface Guide {
  tag: string;
  title: string;
  /** Markdown, without the title. */
  text: string;
}

export function readGuides(root: string): Guide[] {
  return GUIDES.map(({ tag, title, file }) => ({
    tag,
    title,
    text: guideText(readFileSync(join(root, file), 'utf8'), dirname(file)),
  }));
}

/**
 * Without its title; a link to another guide stays within the page, and one to another file is its text alone.
 * @param folder of the guide, where relative links start
 */
export function guideText(markdown: string, folder: string): string {
  return markdown
    .split(/(^```[^]*?^```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : withLinks(part.replace(/^# .+\n/m, ''), folder)))
    .join('')
    .replaceAll(/^### (.+)$/gm, '**$1**')
    .replaceAll(/^## (.+)$/gm, '### $1')
    .trim();
}

function withLinks(text: string, folder: string): string {
  return text.replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, words: string, to: string) => {
    if (/^https?:/.test(to)) return link;
    const path = join(folder, to.replace(/#.*/, ''));
    const guide = GUIDES.find(({ file }) => file === path);
    return guide === undefined ? words : `[${words}](#/${guide.tag})`;
  });
}
