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

/** An empty repository. */
async function repository() {
  const root = await temporaryFolder();
  return {
    root,
    write(name: string, text: string): void {
      const file = join(root, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    },
    remove: (name: string): void => rmSync(join(root, name)),
    has: (name: string): boolean => existsSync(join(root, name)),
    read: (name: string): string => readFileSync(join(root, name), 'utf8'),
    build: (): Promise<number> => build({ root, log: () => {} }),
  };
}

const IMPORTING = `\
import type { T } from './t.ts';
import { b } from './b.ts';
export const a: T = b;
`;
const IMPORTING_BUILT = /^import \{ b \} from "\.\/b\.js";\nexport const a = b;\n/;

test('a build writes what changed, without types and tests, and removes what is gone', async () => {
  const repo = await repository();
  repo.write('server/a.ts', IMPORTING);
  repo.write('server/b.ts', 'export const b: number = 1;\n');
  repo.write('server/b.test.ts', 'export {};\n');
  repo.write('server/deep/c.suite.ts', 'export {};\n');
  expect(await repo.build()).toBe(2);
  expect(repo.read('dist/server/a.js')).toMatch(IMPORTING_BUILT);
  expect(repo.has('dist/server/b.test.js')).toBe(false);
  expect(repo.has('dist/server/deep')).toBe(false);
  expect(await repo.build()).toBe(0);

  const outputOfB = join(repo.root, 'dist/server/b.js');
  const before = statSync(outputOfB).mtimeMs;
  repo.write('server/a.ts', 'export const a = ;\n');
  await expect(repo.build()).rejects.toThrow(/^server\/a\.ts: /);
  repo.write('server/a.ts', 'export const longer = 1;\n');
  expect(await repo.build()).toBe(1);
  expect(repo.read('dist/server/a.js')).toContain('longer');
  expect(statSync(outputOfB).mtimeMs).toBe(before);

  repo.remove('dist/server/a.js');
  expect(await repo.build()).toBe(1);
  repo.remove('server/a.ts');
  await repo.build();
  expect(repo.has('dist/server/a.js')).toBe(false);
});

test('the suite is bundled, and again when one of its modules changes', async () => {
  const repo = await repository();
  const bundled = () => readdirSync(join(repo.root, 'dist/conformance/bundle'));
  const run = (name: string) => import(join(repo.root, 'dist/conformance', name));
  const program = `#!/usr/bin/env node\nimport { a } from './a.ts';\nexport { a };\n`;
  const late = "export const late = import('./late.ts');\n";
  repo.write('conformance/cli/main.ts', program + late);
  repo.write(
    'conformance/cli/thread.ts',
    `import { a } from './a.ts';\nexport const inThread: number = a;\n`,
  );
  repo.write(
    'conformance/cli/late.ts',
    `import { join } from 'node:path';\nexport const late = join('a', 'b');\n`,
  );
  repo.write('conformance/cli/a.ts', 'export const a: number = 1;\n');
  await repo.build();
  expect(bundled()).toEqual(['a.js', 'late.js', 'thread.js']);
  repo.remove('dist/conformance/cli/a.js');
  expect(await run('main.js')).toMatchObject({ a: 1 });
  expect(await run('bundle/thread.js')).toMatchObject({ inThread: 1 });

  repo.write('conformance/cli/main.ts', program);
  repo.write('conformance/cli/a.ts', 'export const a: number = 12;\n');
  await repo.build();
  expect(bundled()).toEqual(['a.js', 'thread.js']);
  expect(repo.read('dist/conformance/bundle/a.js')).toContain('12');
});
