/** READMEs and guides, and the blocks of code in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const GUIDES = [
  'README.md',
  'clients/typescript/README.md',
  'server/README.md',
  ...['docs', 'docs/maintainers'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`),
  ),
];

export type Block = ReturnType<typeof blocksOf>[number];

export function blocksOf(markdown: string) {
  const found = markdown.matchAll(/^```(\w*)\n([^]*?)^```$/gm);
  return [...found].map(([, language, text]) => ({ language: language!, text: text! }));
}
