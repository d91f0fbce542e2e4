/** What docs/maintainers/dependencies.md says, held to each package.json, to the lock file and to what is installed. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = <Value>(path: string): Value => JSON.parse(readFileSync(join(ROOT, path), 'utf8')) as Value;

interface Locked {
  dev?: boolean;
  license?: string;
  resolved?: string;
  integrity?: string;
  hasInstallScript?: boolean;
  /** Of a package of this repository. */
  link?: boolean;
}

interface Manifest {
  version: string;
  workspaces: string[];
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const { workspaces, version: VERSION, devDependencies } = read<Manifest>('package.json');
const packages = workspaces.map((folder) => read<Manifest>(join(folder, 'package.json')));
const dependencies = Object.assign({}, ...packages.map((one) => one.dependencies)) as Record<string, string>;
/** What is installed from a registry: not this repository and its packages. */
const locked = Object.entries(read<{ packages: Record<string, Locked> }>('package-lock.json').packages).filter(
  ([path, { link }]) => path.includes('node_modules/') && link !== true,
);

/** For everyone who installs the package, and for those who work on it. */
const USED = ['MIT', 'ISC', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'Python-2.0'];
const DEVELOPMENT = [...USED, 'MPL-2.0', 'CC0-1.0', 'BSD-2-Clause', 'MIT AND Zlib'];

/** As the installed package says it; what other platforms need is not installed, and the lock file has its licence. */
function licenceOf(path: string): string {
  const manifest = join(path, 'package.json');
  if (!existsSync(join(ROOT, manifest))) return locked.find(([one]) => one === path)?.[1].license ?? 'none';
  // Old packages have a list.
  const { license, licenses } = read<{ license?: string; licenses?: { type: string }[] }>(manifest);
  return license ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'none';
}

const choices = (licence: string): string[] => licence.replaceAll(/[()]/g, '').split(' OR ');

const rows = readFileSync(join(ROOT, 'docs', 'maintainers', 'dependencies.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| '))
  .slice(1)
  .map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe('the table', () => {
  it('has each direct dependency once, and no other', () => {
    const expected = [
      ...Object.keys(dependencies).map((name) => `${name} use`),
      ...Object.keys(devDependencies)
        .filter((name) => !(name in dependencies))
        .map((name) => `${name} development`),
    ];
    expect(rows.map(([name, use]) => `${name} ${use}`).toSorted()).toEqual(expected.toSorted());
  });

  it.each(rows)('%s, for %s, has the licence %s', (name, _, licence, reason) => {
    expect(licenceOf(`node_modules/${name}`)).toBe(licence);
    expect(reason).toMatch(/^\S.*\.$/);
  });
});

describe('the whole tree', () => {
  it.each(locked)('%s has a licence that is allowed', (path, { dev }) => {
    const allowed = dev ? DEVELOPMENT : USED;
    expect(
      choices(licenceOf(path)).filter((one) => allowed.includes(one)),
      licenceOf(path),
    ).not.toEqual([]);
  });

  it('has one version of each direct dependency, and of the packages', () => {
    for (const one of packages) {
      expect(one.version).toBe(VERSION);
      expect(dependencies).toMatchObject(one.dependencies);
    }
    for (const [name, pinned] of Object.entries(devDependencies)) expect(dependencies[name] ?? pinned).toBe(pinned);
  });

  it('is pinned: direct dependencies by exact versions, all by hashes', () => {
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies }))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/);
    expect(locked.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  });

  it('comes from the registry that is configured', () => {
    expect(locked.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it('runs nothing while it is installed', () => {
    expect(locked.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)).toEqual([]);
  });

  it('has the allowed licences told in the guide', () => {
    const text = readFileSync(join(ROOT, 'docs', 'maintainers', 'dependencies.md'), 'utf8').replaceAll(/\s+/g, ' ');
    for (const licence of DEVELOPMENT) expect(text).toContain(licence);
  });
});
