/** README.md and the guides link to what exists, and show a sample of the contract; guides.e2e.test.ts runs their commands. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { expect, it } from 'vitest';
import { samplesOf } from '../clients/samples/index.ts';
import { blocksOf, GUIDES, read, ROOT } from './guides.ts';

const contract = load(read('openapi.yaml'), { schema: CORE_SCHEMA }) as Record<string, unknown>;
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

it.each(GUIDES)('%s names files and scripts that exist', (path) => {
  const text = read(path);
  const links = [...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)];
  const files = links.map(([, target]) => join(ROOT, dirname(path), target!));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const names = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script!);
  expect(names.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
});

it('the program of the guide to clients is a sample', () => {
  const programs = blocksOf(read('docs/generate-a-client.md')).filter(({ language }) => language === 'python');
  const sample = samplesOf(contract, 'Python').find(({ request }) => request.operationId === 'createEdge');
  expect(programs.map(({ text }) => text)).toEqual([sample!.source]);
});
