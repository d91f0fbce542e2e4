/** The service is independent of the suite. Tests of the command show its options, and `../services` other choices. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

it('imports itself, Node, parsers of XML and of expressions, the types of a service and the table of modules', () => {
  const files = readdirSync(import.meta.dirname).filter((name) => !name.endsWith('.test.ts'));
  const imported = files.flatMap((name) =>
    [...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/\bfrom '([^']+)'/g)].map(([, path]) => path!),
  );
  expect(imported).toContain('./http.ts');
  const allowed = /^(\.\/[\w-]+\.ts|\.\.\/service\.ts|\.\.\/\.\.\/api\/modules\.ts|node:\w+|re2js|saxes)$/;
  expect(imported.filter((path) => !allowed.test(path))).toEqual([]);
});
