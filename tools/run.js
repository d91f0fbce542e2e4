/**
 * Builds changed files, then runs a program if one is named: `node tools/run.js server/main
 * [ARGUMENT ...]`
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
  const name = program.replace(/\.(ts|js)$/, '');
  const file = join(ROOT, 'dist', `${name}.js`);
  process.argv = [process.execPath, file, ...rest];
  await import(pathToFileURL(file).href);
}
