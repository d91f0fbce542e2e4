/** The package as it is published: made from a clean copy, installed into an empty folder, and used there. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from './process.ts';
import { ROOT } from './suite.ts';
import { implementation } from './services.ts';

const LONG = 600_000;
const NOT_COPIED = new Set(['node_modules', 'dist', '.git', 'data', 'coverage', '.venv']);
const folder = mkdtempSync(join(tmpdir(), 'conformance-pack-'));
const checkout = join(folder, 'checkout');
const user = join(folder, 'user');
let files: string[];

async function succeed(command: string, args: string[], cwd: string): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, { cwd });
  expect(code, `${command} ${args.join(' ')}\n${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

beforeAll(async () => {
  // `prepack` empties `dist`, which other tests use.
  cpSync(ROOT, checkout, { recursive: true, filter: (path) => !NOT_COPIED.has(relative(ROOT, path).split(sep)[0]!) });
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'), 'junction');
  await succeed('npm', ['pack', '--pack-destination', folder], checkout);
  const listed = JSON.parse(
    await succeed('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], checkout),
  ) as unknown;
  const [packed] = Object.values(listed as object) as { files: { path: string }[] }[];
  files = packed!.files.map(({ path }) => path);
  mkdirSync(user);
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))!;
  await succeed('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, tarball)], user);
}, LONG);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('holds the contract, the schema of reports, and what runs', () => {
    for (const path of [
      'openapi.yaml',
      'package.json',
      'README.md',
      'LICENSE',
      'conformance/README.md',
      'conformance/engine/report/report.schema.json',
      'dist/conformance/main.js',
      'dist/server/main.js',
      'docs/index.html',
    ])
      expect(files).toContain(path);
  });

  it('holds no tests, nothing that only tests use, and no sources', () => {
    const unwanted =
      /\.test\.|\.suite\.|(^|\/)(self|command|testing)\/|sample|vitest|tsbuildinfo|node_modules|(?<!\.d)\.ts$/;
    expect(files.filter((path) => unwanted.test(path))).toEqual([]);
  });

  it('exports the contract and the schema', async () => {
    const { name } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { name: string };
    for (const path of ['openapi.yaml', 'report.schema.json', 'package.json']) {
      const url = await succeed(
        process.execPath,
        ['--input-type=module', '-e', `console.log(import.meta.resolve('${name}/${path}'))`],
        user,
      );
      expect(existsSync(new URL(url.trim()))).toBe(true);
    }
  });
});

describe('the installed command', () => {
  it(
    'names its version',
    async () => {
      expect(await succeed('npx', ['edge-conformance', '--version'], user)).toMatch(
        /^edge-contract \d+\.\d+\.\d+, contract \d+\.\d+\.\d+\n$/,
      );
    },
    LONG,
  );

  it(
    'lists every requirement',
    async () => {
      const rows = await succeed('npx', ['edge-conformance', '--list'], user);
      expect(rows.split('\n').length).toBeGreaterThan(150);
    },
    LONG,
  );

  it(
    'judges a service and writes its reports',
    async () => {
      await using served = await implementation();
      const stdout = await succeed('npx', ['edge-conformance', served.url, '--runs', '2', '--report', 'reports'], user);
      expect(stdout).toMatch(/^Conformant/m);
      expect(readdirSync(join(user, 'reports')).toSorted()).toEqual([
        'junit.xml',
        'report.html',
        'report.json',
        'report.md',
      ]);
    },
    LONG,
  );

  it(
    'is not the only one that works',
    async () => {
      expect(await succeed('npx', ['edge-server', '--help'], user)).toContain('--port');
    },
    LONG,
  );
});
