import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { build } from './build.js';
import { temporaryFolder } from './temporary-folder.ts';

/** A repository of its own. */
async function repository() {
  const root = await temporaryFolder();
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  return { root, write, again: () => build({ root, log: () => {} }) };
}

test('a build writes what changed, without types and tests, and removes what is gone', async () => {
  const { root, write, again } = await repository();
  const has = (name: string): boolean => existsSync(join(root, 'dist', name));
  const read = (name: string): string => readFileSync(join(root, 'dist', name), 'utf8');

  write(
    'server/a.ts',
    `import type { T } from './t.ts';\nimport { b } from './b.ts';\nexport const a: T = b;\n`,
  );
  write('server/b.ts', 'export const b: number = 1;\n');
  write('server/b.test.ts', 'export {};\n');
  write('server/deep/c.suite.ts', 'export {};\n');
  expect(await again()).toBe(2);
  expect(read('server/a.js')).toMatch(/^import \{ b \} from "\.\/b\.js";\nexport const a = b;\n/);
  expect(has('server/b.test.js') || has('server/deep')).toBe(false);
  expect(await again()).toBe(0);

  const before = statSync(join(root, 'dist/server/b.js')).mtimeMs;
  write('server/a.ts', 'export const a = ;\n');
  await expect(again()).rejects.toThrow(/^server\/a\.ts: /);
  write('server/a.ts', 'export const longer = 1;\n');
  expect(await again()).toBe(1);
  expect(read('server/a.js')).toContain('longer');
  expect(statSync(join(root, 'dist/server/b.js')).mtimeMs).toBe(before);

  rmSync(join(root, 'dist/server/a.js'));
  expect(await again()).toBe(1);
  rmSync(join(root, 'server/a.ts'));
  await again();
  expect(has('server/a.js')).toBe(false);
});

test('the programs of the suite are bundled, and anew when one of their modules changes', async () => {
  const { root, write, again } = await repository();
  const run = (name: string) => import(join(root, 'dist/conformance', name));
  const late = "export const late = import('./late.ts');";
  write(
    'conformance/cli/main.ts',
    `#!/usr/bin/env node\nimport { a } from './a.ts';\n${late}\nexport { a };\n`,
  );
  write(
    'conformance/cli/thread.ts',
    `import { a } from './a.ts';\nexport const inThread: number = a;\n`,
  );
  write(
    'conformance/cli/late.ts',
    `import { join } from 'node:path';\nexport const late = join('a', 'b');\n`,
  );
  write('conformance/cli/a.ts', 'export const a: number = 1;\n');
  await again();
  expect(readdirSync(join(root, 'dist/conformance/bundle'))).toEqual([
    'a.js',
    'late.js',
    'thread.js',
  ]);
  rmSync(join(root, 'dist/conformance/cli/a.js'));
  expect(await run('main.js')).toMatchObject({ a: 1 });
  expect(await run('bundle/thread.js')).toMatchObject({ inThread: 1 });

  write('conformance/cli/main.ts', `import { a } from './a.ts';\nexport { a };\n`);
  write('conformance/cli/a.ts', 'export const a: number = 12;\n');
  await again();
  expect(readdirSync(join(root, 'dist/conformance/bundle'))).toEqual(['a.js', 'thread.js']);
  expect(readFileSync(join(root, 'dist/conformance/bundle/a.js'), 'utf8')).toContain('12');
});
