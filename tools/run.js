/**
 * Builds changed files, then runs one program of this repository:
 *
 *     node tools/run.js server/main [ARGUMENT ...]
 *
 * Without a program it only builds.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, ROOT } from './build.js';

const [program, ...rest] = process.argv.slice(2);
try {
  await build();
} catch (error) {
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exit(1);
}
if (program !== undefined) {
  const file = join(ROOT, 'dist', `${program.replace(/\.(ts|js)$/, '')}.js`);
  process.argv = [process.execPath, file, ...rest];
  await import(pathToFileURL(file).href);
}
