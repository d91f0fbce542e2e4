/**
 * `node ../tools/pack.js [FILE ...]`, a `prepack` script, completes the folder of a package before
 * npm packs it. Compiled files and each FILE or folder of this repository go to dist/, LICENSE and
 * CHANGELOG.md beside package.json. In dist/, the folders are those of the repository, so that
 * imports and the search for openapi.yaml work as in a checkout.
 */
import { copyFileSync, cpSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, ROOT } from './build.js';

const folder = process.cwd();
const name = relative(ROOT, folder);
if (name === '' || name.startsWith('..')) {
  throw new Error(`${folder} is not the folder of a package`);
}

await build();
const dist = join(folder, 'dist');
rmSync(dist, { recursive: true, force: true });
cpSync(join(ROOT, 'dist', name), join(dist, name), { recursive: true });
for (const file of process.argv.slice(2)) {
  mkdirSync(dirname(join(dist, file)), { recursive: true });
  cpSync(join(ROOT, file), join(dist, file), { recursive: true });
}
for (const file of ['LICENSE', 'CHANGELOG.md']) {
  copyFileSync(join(ROOT, file), join(folder, file));
}
