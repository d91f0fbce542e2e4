/** `.ci/run` and the workflow call the same steps, and every program in `.ci/steps` is one. */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CORE_SCHEMA, load } from 'js-yaml';
import { ROOT } from './build.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const called = [...read('.ci/run').matchAll(/^ {2}'([\w -]+):\d+'$/gm)].map(([, step]) => step!);
const programs = readdirSync(join(ROOT, '.ci/steps'));
const { jobs } = load(read('.github/workflows/ci.yml'), { schema: CORE_SCHEMA }) as {
  jobs: { step: { strategy: { matrix: { include: { step: string }[] } } } };
};
const { include } = jobs.step.strategy.matrix;

it.each([
  ['the workflow', include.map(({ step }) => step), called],
  ['.ci/steps', programs, [...new Set(called.map((step) => step.split(' ')[0]!))]],
])('%s has the steps of .ci/run', (_, found, expected) => {
  expect(found.toSorted()).toEqual(expected.toSorted());
});

it.each(programs)('%s can be run, and runs programs that exist', (name) => {
  const path = `.ci/steps/${name}`;
  accessSync(join(ROOT, path), constants.X_OK);
  const run = [...read(path).matchAll(/tools\/run\.js (\S+)/g)].map(([, program]) => `${program}.ts`);
  expect(run.filter((program) => !existsSync(join(ROOT, program)))).toEqual([]);
});
