/** READMEs and guides, and the blocks of code in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..', '..');

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function markdownFilesIn(folder: string): string[] {
  const names = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.md'));
  return names.map((name) => `${folder}/${name}`);
}

/** Paths from the root. */
export const GUIDES = [
  'README.md',
  'clients/typescript/README.md',
  'server/README.md',
  ...markdownFilesIn('docs'),
  ...markdownFilesIn('docs/maintainers'),
];

/** A fenced block of code. */
export interface Block {
  /** The word behind the fence, such as `sh`; empty without one. */
  language: string;
  text: string;
}

const FENCED_BLOCK = /^```(\w*)\n([^]*?)^```$/gm;

export function blocksOf(markdown: string): Block[] {
  const found = markdown.matchAll(FENCED_BLOCK);
  return [...found].map(([, language = '', text = '']) => ({ language, text }));
}
