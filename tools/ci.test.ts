/** `.ci/run` and the workflow call the same steps, and every step is called by both. */
import { accessSync, constants, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CORE_SCHEMA, load } from 'js-yaml';
import { ROOT } from './build.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const inScript = [...read('.ci/run').matchAll(/^ {2}'([\w -]+):\d+'$/gm)].map(([, step]) => step!);

interface Workflow {
  jobs: Record<string, { strategy?: { matrix: { step?: string[]; node?: number[] } }; steps: { run?: string }[] }>;
}
const { jobs } = load(read('.github/workflows/ci.yml'), { schema: CORE_SCHEMA }) as Workflow;
const inWorkflow = [
  ...(jobs['steps']?.strategy?.matrix.step ?? []),
  ...Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap(({ run }) => [...(run ?? '').matchAll(/\.ci\/steps\/([\w-]+)/g)].map(([, step]) => step!)),
  ),
];

test('the script and the workflow call the same steps', () => {
  expect(inScript.length).toBeGreaterThan(10);
  expect(inWorkflow.toSorted()).toEqual(inScript.toSorted());
});

test('each step is a program, and no program is left out', () => {
  const programs = readdirSync(join(ROOT, '.ci/steps'));
  expect([...new Set(inScript.map((step) => step.split(' ')[0]))].toSorted()).toEqual(programs.toSorted());
  for (const program of programs) accessSync(join(ROOT, '.ci/steps', program), constants.X_OK);
});

test('programs that steps run exist', () => {
  const files = readdirSync(join(ROOT, '.ci/steps')).map((name) => read(`.ci/steps/${name}`));
  const programs = files.flatMap((text) => [...text.matchAll(/tools\/run\.js (\S+)/g)].map(([, program]) => program!));
  expect(programs.length).toBeGreaterThan(5);
  for (const program of programs) expect(() => accessSync(join(ROOT, `${program}.ts`))).not.toThrow();
});

test('the workflow tests every version of Node that is supported', () => {
  expect(jobs['unit']?.strategy?.matrix.node).toEqual([20, 22, 24]);
});

test('the lock file has the optional packages of every platform', () => {
  interface Locked {
    optionalDependencies?: Record<string, string>;
  }
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Locked> };
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !(`node_modules/${name}` in packages) && !(`${path}/node_modules/${name}` in packages),
    ),
  );
  expect(missing).toEqual([]);
});
