/** Imports between folders, also for types alone; and the steps of CI, the same in all places. */
import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CORE_SCHEMA, load } from 'js-yaml';
import { expect, it } from 'vitest';
import { ROOT } from './build.js';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** For each folder, the folders and files that it may import beside itself. */
type Walls = Record<string, readonly string[]>;

const { parts, folders } = load(read('tools/walls.yaml')) as { parts: Walls; folders: Walls };

const GENERATED_FOLDER = /(^|\/)(dist|node_modules)\//;
const TEST = /\.(test|suite)\.ts$/;

const files = Object.keys(parts).flatMap(typescriptIn);
const sources = files.filter((file) => !TEST.test(file));

function typescriptIn(part: string): string[] {
  const found = readdirSync(join(ROOT, part), { recursive: true, encoding: 'utf8' });
  const own = found.filter((file) => file.endsWith('.ts') && !GENERATED_FOLDER.test(file));
  return own.map((file) => `${part}/${file}`);
}

/** The name of a module in an import or export, at the beginning of a line or in a call. */
const IMPORT = /(?:^import |^export .* from |^\} from |\bimport\()[^'\n]*'([^']+)'/gm;

function importsOf(file: string): string[] {
  return [...read(file).matchAll(IMPORT)].map(([, name]) => name!);
}

/** @param place a folder, or one file */
function isIn(place: string, file: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

/** The imports of a file that the most specific wall around it does not allow. */
function forbiddenIn(file: string, walls: Walls): string[] {
  const around = Object.keys(walls).filter((folder) => isIn(folder, file));
  const [folder] = around.toSorted((a, b) => b.length - a.length);
  const allowed = [folder!, ...walls[folder!]!];
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => join(dirname(file), name))
    .filter((target) => !allowed.some((place) => isIn(place, target)))
    .map((target) => `${file} imports ${target}`);
}

it('parts import only the parts that they may', () => {
  expect(files.flatMap((file) => forbiddenIn(file, parts))).toEqual([]);
});

it('folders of sources import in one direction', () => {
  const walls = { ...parts, ...folders };
  expect(sources.flatMap((file) => forbiddenIn(file, walls))).toEqual([]);
});

it.each([
  ['server/domain', /^$/],
  // No framework and no validator: parsers of XML and of expressions.
  ['conformance/self-test/independent', /^(node:\w+|re2js|saxes)$/],
])('%s imports no other libraries than %s', (folder, allowed) => {
  const imports = sources.filter((file) => isIn(folder, file)).flatMap(importsOf);
  const libraries = imports.filter((name) => !name.startsWith('.'));
  expect(libraries.filter((name) => !allowed.test(name))).toEqual([]);
});

interface Workflow {
  jobs: { step: { strategy: { matrix: { step: string[] } } } };
}

/** A row of the steps in `.ci/run`: the words of its command, and its minutes. */
const STEP = /^ {2}'([\w -]+):\d+'$/gm;

const calledSteps = [...read('.ci/run').matchAll(STEP)].map(([, step]) => step!);
const programs = readdirSync(join(ROOT, '.ci/steps'));

it('the workflow has the steps of .ci/run', () => {
  const { jobs } = load(read('.github/workflows/ci.yml'), { schema: CORE_SCHEMA }) as Workflow;
  expect(jobs.step.strategy.matrix.step.toSorted()).toEqual(calledSteps.toSorted());
});

it('.ci/run calls each program of .ci/steps, and no other', () => {
  const called = new Set(calledSteps.map((step) => step.split(' ')[0]!));
  expect(programs.toSorted()).toEqual([...called].toSorted());
});

/** A program of this repository that a step runs. */
const PROGRAM = /tools\/run\.js (\S+)/g;

it.each(programs)('%s is executable, and runs programs that exist', (name) => {
  const path = `.ci/steps/${name}`;
  accessSync(join(ROOT, path), constants.X_OK);
  const run = [...read(path).matchAll(PROGRAM)].map(([, program]) => `${program}.ts`);
  expect(run.filter((program) => !existsSync(join(ROOT, program)))).toEqual([]);
});
