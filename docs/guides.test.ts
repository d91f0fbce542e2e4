/** What README.md and the guides say, without running it: `guides.e2e.test.ts` runs their commands. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { blocksOf, GUIDES, read, ROOT } from './testing/guide.ts';

/** What the clients' round trip builds and runs. */
const EXAMPLES: Record<string, string> = {
  ts: 'clients/typescript/example.ts',
  python: 'clients/python/example.py',
  go: 'clients/go/main.go',
  java: 'clients/java/example/src/main/java/Example.java',
  rust: 'clients/rust/src/main.rs',
};

/** However it is indented. */
function words(code: string): string {
  return code.trim().replaceAll(/\s+/g, ' ');
}

const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
/** The scripts of package.json that a text names. */
const scriptsIn = (text: string): string[] => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script!);

describe.each(GUIDES)('%s', (path) => {
  const blocks = blocksOf(read(path));

  it('has only blocks that are tried', () => {
    const tried = ['sh', 'json', 'text', ...Object.keys(EXAMPLES)];
    expect(blocks.map(({ language }) => language).filter((language) => !tried.includes(language))).toEqual([]);
  });

  it.each(blocks.filter(({ language }) => Object.hasOwn(EXAMPLES, language)))(
    'shows what stands in the example program in $language',
    ({ language, text }) => {
      const example = words(read(EXAMPLES[language]!));
      for (const excerpt of text.split(/^(?:\/\/|#) …$/m)) expect(example).toContain(words(excerpt));
    },
  );

  it('names no script that there is not', () => {
    expect(scriptsIn(read(path)).filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
  });

  it('links to what is there', () => {
    const targets = [...read(path).matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, target]) => target!);
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
