/**
 * Compares dependencies.md with each package.json, with the lock file, and with what is installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = <Value>(path: string): Value =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Value;

type Versions = Record<string, string>;
type Manifest = Record<'dependencies' | 'devDependencies', Versions> & {
  version: string;
  workspaces: string[];
};

interface Locked {
  dev?: boolean;
  license?: string;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  optionalDependencies?: Versions;
  /** True for a package of this repository. */
  link?: boolean;
}

const { workspaces, version, devDependencies } = read<Manifest>('package.json');
const packages = workspaces.map((folder) => read<Manifest>(join(folder, 'package.json')));
const dependencies = Object.assign({}, ...packages.map((one) => one.dependencies)) as Versions;
const lock = read<{ packages: Record<string, Locked> }>('package-lock.json').packages;
/** Packages that come from a registry. */
const locked = Object.entries(lock).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);
const guide = readFileSync(join(import.meta.dirname, 'dependencies.md'), 'utf8');
const ROW = /^\| (\S+) \| (use|development) \| ([^|]+) \| [^|]+ \|$/gm;
const rows = [...guide.matchAll(ROW)].map((row) => row.slice(1).join());

const USED = ['MIT', 'ISC', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'Python-2.0'];
const DEVELOPMENT = [...USED, 'MPL-2.0', 'CC0-1.0', 'BSD-2-Clause', 'MIT AND Zlib'];

/**
 * As the installed package says it; packages of other platforms are not installed, and the lock
 * file has their licence.
 */
function licenceOf(path: string): string {
  const manifest = join(path, 'package.json');
  if (!existsSync(join(ROOT, manifest))) {
    return lock[path]?.license ?? 'none';
  }
  // Old packages have a list.
  const { license, licenses } = read<{ license?: string; licenses?: { type: string }[] }>(manifest);
  return license ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'none';
}

function isAllowed([path, { dev }]: [string, Locked]): boolean {
  const licences = licenceOf(path).replaceAll(/[()]/g, '').split(' OR ');
  return licences.some((licence) => (dev ? DEVELOPMENT : USED).includes(licence));
}

it('the table has each direct dependency once, with its licence', () => {
  const expected = Object.keys({ ...dependencies, ...devDependencies }).map((name) => {
    const use = name in dependencies ? 'use' : 'development';
    return [name.replace(/^@types\/.*/, '@types/*'), use, licenceOf(`node_modules/${name}`)].join();
  });
  expect(rows.toSorted()).toEqual([...new Set(expected)].toSorted());
});

it('each package that is used has the exact version of the others', () => {
  for (const one of packages) {
    expect(one).toMatchObject({ version });
  }
  for (const [name, pinned] of packages.flatMap((one) => Object.entries(one.dependencies))) {
    expect([pinned, devDependencies[name] ?? pinned], name).toEqual([
      dependencies[name],
      dependencies[name],
    ]);
  }
  for (const [name, pinned] of Object.entries({ ...dependencies, ...devDependencies })) {
    expect(pinned, name).toMatch(/^\d+\.\d+\.\d+$/);
  }
});

it.each<[string, (one: [string, Locked]) => boolean]>([
  ['has a licence that is allowed', isAllowed],
  ['is pinned by its hash', ([, { integrity }]) => integrity?.startsWith('sha512-') === true],
  ['comes from the registry that is configured', ([, { resolved }]) => resolved === undefined],
  ['runs nothing while it is installed', ([, { hasInstallScript }]) => hasInstallScript !== true],
  [
    'has its optional packages of every platform in the lock file',
    ([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).every(
        (name) => `node_modules/${name}` in lock || `${path}/node_modules/${name}` in lock,
      ),
  ],
])('everything that is installed %s', (_, holds) => {
  expect(locked.filter((one) => !holds(one)).map(([path]) => path)).toEqual([]);
});
