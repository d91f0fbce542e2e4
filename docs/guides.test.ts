/** What README.md and the guides say, without running it: `guides.e2e.test.ts` runs their commands. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { type SampleLanguage, samplesOf } from '../clients/samples/index.ts';
import { blocksOf, GUIDES, read, ROOT } from './testing/guide.ts';

/** The languages whose programs are samples of the contract: the clients' round trip builds all, and runs the one shown. */
const SAMPLES: Record<string, SampleLanguage> = { python: 'Python', go: 'Go', java: 'Java', rust: 'Rust' };
const contract = load(read('openapi.yaml'), { schema: CORE_SCHEMA }) as Record<string, unknown>;

/** `ts`: of the manual of the client, whose programs tools/pack.e2e.test.ts runs. */
const TRIED = ['sh', 'json', 'text', 'ts', ...Object.keys(SAMPLES)];

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** The scripts of package.json that a text names. */
const scriptsIn = (text: string): string[] => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script!);

describe.each(GUIDES)('%s', (path) => {
  const blocks = blocksOf(read(path));

  it('has only blocks that are tried', () => {
    expect(blocks.map(({ language }) => language).filter((language) => !TRIED.includes(language))).toEqual([]);
    if (path !== 'clients/typescript/README.md') expect(blocks.map(({ language }) => language)).not.toContain('ts');
  });

  it.each(blocks.filter(({ language }) => Object.hasOwn(SAMPLES, language)))(
    'shows a whole program in $language',
    ({ language, text }) => {
      const first = samplesOf(contract, SAMPLES[language]!).find(({ request }) => request.operationId === 'createEdge');
      expect(text).toBe(first!.source);
    },
  );

  it('names no script that there is not', () => {
    expect(scriptsIn(read(path)).filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  it('links to what is there', () => {
    const text = read(path).replaceAll(/^```[^]*?^```$/gm, '');
    const targets = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(path), target)))).toEqual([]);
  });
});

describe('the workflow that publishes the page', () => {
  it('knows the scripts and the files', () => {
    const { jobs } = load(read('.github/workflows/pages.yml')) as {
      jobs: Record<string, { steps: { run?: string }[] }>;
    };
    const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []));
    expect(scriptsIn(commands.join('\n')).filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
    expect(commands.at(-1)).toBe('mkdir site && cp docs/index.html docs/openapi* site/');
  });
});
