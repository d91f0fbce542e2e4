/**
 * README.md and the guides link to files that exist and quote texts of the suite;
 * guides.e2e.test.ts runs their commands.
 */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { samplesOf } from '../../clients/samples/index.ts';
import { readDocument } from '../../clients/samples/json.ts';
import { blocksOf, GUIDES, read, ROOT } from './guides.ts';

const contract = readDocument(join(ROOT, 'openapi.yaml'));
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };

it.each(GUIDES)('%s names files and scripts that exist', (path) => {
  const text = read(path);
  const links = [
    ...text.replaceAll(/^```[^]*?^```$/gm, '').matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g),
  ];
  expect(
    links
      .map(([, target]) => join(ROOT, dirname(path), target!))
      .filter((file) => !existsSync(file)),
  ).toEqual([]);
  const names = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script!);
  expect(names.filter((script) => !Object.hasOwn(scripts, script))).toEqual([]);
});

it('the program of the guide to clients is a sample', () => {
  const program = blocksOf(read('docs/generate-a-client.md')).find(
    ({ language }) => language === 'python',
  )!;
  expect(samplesOf(contract, 'Python').map(({ source }) => source)).toContain(program.text);
});

it.each(['go', 'rust'])(
  'the lines of the guide to clients in %s are of a program that runs',
  (mark) => {
    const programIn = (file: string) => {
      const program = blocksOf(read(file)).find(({ language }) => language === mark)!;
      return program.text
        .trim()
        .split('\n')
        .map((line) => line.trim());
    };
    // The round trip of the clients runs the program of each README.md.
    const program = programIn(`clients/${mark}/beside/README.md`);
    const lines = programIn('docs/generate-a-client.md');
    expect(lines.length).toBeGreaterThan(10);
    let from = 0;
    const missing = lines.filter((line) => {
      const place = program.indexOf(line, from);
      from = place < 0 ? from : place + 1;
      return place < 0;
    });
    expect(missing).toEqual([]);
  },
);

it('the causes that the guide to servers explains are those of the suite', () => {
  const [, table] = /^\| cause \|.*\n.*\n([^]*?)\n\n/m.exec(read('docs/write-a-server.md'))!;
  const sources = readdirSync(join(ROOT, 'conformance'), { recursive: true, encoding: 'utf8' })
    .filter(
      (file) => file.endsWith('.ts') && !file.includes('.test.') && !file.startsWith('self-test'),
    )
    .map((file) => read(`conformance/${file}`))
    .join('\n');
  const phrases = [...table!.matchAll(/\*([^*|]+)\*/g)].map(([, phrase]) => phrase!);
  expect(phrases.length).toBeGreaterThan(5);
  // Statuses and keywords are filled in when the suite runs.
  const pattern = (phrase: string) => phrase.replaceAll(/\d{3}(?: \(\w+\))?/g, '.{0,80}');
  expect(phrases.filter((phrase) => !new RegExp(pattern(phrase)).test(sources))).toEqual([]);
});
