import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { build } from './build.js';

function folderWith(files: Record<string, string>) {
  const root = mkdtempSync(join(tmpdir(), 'build-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const lines: string[] = [];
  return {
    lines,
    write,
    remove: (name: string): void => rmSync(join(root, name)),
    has: (name: string): boolean => existsSync(join(root, name)),
    read: (name: string): string => readFileSync(join(root, name), 'utf8'),
    written: (name: string): number => statSync(join(root, name)).mtimeMs,
    build: (): Promise<number> => build({ root, log: (line) => void lines.push(line) }),
  };
}

test('types go, imports name the files that are built, and tests are left out', async () => {
  const folder = folderWith({
    'server/a.ts': `import type { T } from './t.ts';\nimport { b } from './b.ts';\nexport const a: T = b;\n`,
    'server/b.ts': 'export const b: number = 1;\n',
    'server/b.test.ts': 'export {};\n',
    'server/deep/c.suite.ts': 'export {};\n',
  });
  expect(await folder.build()).toBe(2);
  expect(folder.read('dist/server/a.js')).toMatch(/^import \{ b \} from "\.\/b\.js";\nexport const a = b;\n/);
  expect(folder.has('dist/server/b.test.js')).toBe(false);
  expect(folder.has('dist/server/deep')).toBe(false);
  expect(JSON.parse(folder.read('dist/server/a.js.map'))).toMatchObject({ sources: ['../../server/a.ts'] });
  expect(folder.lines).toEqual([expect.stringMatching(/^built 2 files in \d+\.\d s$/)]);
});

test('what has not changed is not built again, and what is gone goes', async () => {
  const folder = folderWith({ 'server/a.ts': 'export {};\n', 'tools/b.ts': 'export {};\n' });
  await folder.build();
  expect(await folder.build()).toBe(0);
  expect(folder.lines).toHaveLength(1);
  const before = folder.written('dist/tools/b.js');

  folder.write('server/a.ts', 'export const longer = 1;\n');
  expect(await folder.build()).toBe(1);
  expect(folder.read('dist/server/a.js')).toContain('longer');
  expect(folder.written('dist/tools/b.js')).toBe(before);

  folder.remove('server/a.ts');
  await folder.build();
  expect(folder.has('dist/server/a.js')).toBe(false);
  expect(folder.has('dist/server/a.js.map')).toBe(false);
});

test('an output that is missing is built again', async () => {
  const folder = folderWith({ 'server/a.ts': 'export {};\n' });
  await folder.build();
  folder.remove('dist/server/a.js');
  expect(await folder.build()).toBe(1);
  expect(folder.has('dist/server/a.js')).toBe(true);
});

test('an error of syntax names the file, and the build is done again once it is fixed', async () => {
  const folder = folderWith({ 'server/a.ts': 'export const a = ;\n' });
  await expect(folder.build()).rejects.toThrow(/^server\/a\.ts: /);
  folder.write('server/a.ts', 'export const a = 12;\n');
  expect(await folder.build()).toBe(1);
});
