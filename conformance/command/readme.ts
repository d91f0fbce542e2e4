/** The code blocks of the suite's README.md. */
import { readFileSync } from 'node:fs';

export const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
export const URL_IN_README = 'http://127.0.0.1:8080';

export function blocksOf(language: string): string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\`$`, 'gm'))].map(([, text]) => text!);
}
