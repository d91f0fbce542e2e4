/** The icon of the pages, inside them: they load nothing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export function iconUrl(root: string): string {
  const svg = readFileSync(join(root, 'docs', 'favicon.svg'));
  return `data:image/svg+xml;base64,${svg.toString('base64')}`;
}
