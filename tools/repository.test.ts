/** The folders that each folder may import, also for types alone. And the steps of CI, the same in all three places. */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { expect, it } from 'vitest';
import { ROOT } from './build.js';

type Walls = Record<string, readonly string[]>;

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const { parts, folders } = load(read('tools/walls.yaml')) as { parts: Walls; folders: Walls };

const files = Object.keys(parts).flatMap((part) =>
  readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(^|\/)(dist|node_modules)\//.test(file))
    .map((file) => `${part}/${file}`),
);
const sources = files.filter((file) => !/\.(test|suite)\.ts$/.test(file));

function importsOf(file: string): string[] {
  const pattern = /(?:^import |^export .* from |^\} from |\bimport\()[^'\n]*'([^']+)'/gm;
  return [...read(file).matchAll(pattern)].map(([, name]) => name!);
}

/** @param place a folder, or one file */
const isIn = (place: string, file: string): boolean =>
  file === place || file.startsWith(`${place}/`);

/** Imports of the files that the most specific row about them does not allow. */
function forbidden(walls: Walls, from: readonly string[]): string[] {
  const rows = Object.entries(walls).toSorted(([a], [b]) => b.length - a.length);
  return from.flatMap((file) => {
    const [folder, allowed] = rows.find(([one]) => isIn(one, file))!;
    return importsOf(file)
      .filter((name) => name.startsWith('.'))
      .map((name) => join(dirname(file), name))
      .filter((target) => ![folder, ...allowed].some((one) => isIn(one, target)))
      .map((target) => `${file} imports ${target}`);
  });
}

it('parts meet only where they may', () => {
  expect(forbidden(parts, files)).toEqual([]);
});

it('folders of sources import one way', () => {
  expect(forbidden({ ...parts, ...folders }, sources)).toEqual([]);
});

it.each([
  ['server/domain', /^$/],
  // No framework and no validator: parsers of XML and of expressions.
  ['conformance/self-test/independent', /^(node:\w+|re2js|saxes)$/],
])('%s knows these libraries: %s', (folder, allowed) => {
  const libraries = sources
    .filter((file) => isIn(folder, file))
    .flatMap((file) => importsOf(file).filter((name) => !name.startsWith('.')));
  expect(libraries.filter((name) => !allowed.test(name))).toEqual([]);
});

const called = [...read('.ci/run').matchAll(/^ {2}'([\w -]+):\d+'$/gm)].map(([, step]) => step!);
const programs = readdirSync(join(ROOT, '.ci/steps'));
const { jobs } = load(read('.github/workflows/ci.yml'), { schema: CORE_SCHEMA }) as {
  jobs: { step: { strategy: { matrix: { step: string[] } } } };
};

it.each([
  ['the workflow', jobs.step.strategy.matrix.step, called],
  ['.ci/steps', programs, [...new Set(called.map((step) => step.split(' ')[0]!))]],
])('%s has the steps of .ci/run', (_, found, expected) => {
  expect(found.toSorted()).toEqual(expected.toSorted());
});

it.each(programs)('%s can be run, and runs programs that exist', (name) => {
  const path = `.ci/steps/${name}`;
  accessSync(join(ROOT, path), constants.X_OK);
  const run = [...read(path).matchAll(/tools\/run\.js (\S+)/g)].map(
    ([, program]) => `${program}.ts`,
  );
  expect(run.filter((program) => !existsSync(join(ROOT, program)))).toEqual([]);
});
