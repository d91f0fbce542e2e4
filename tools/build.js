/**
 * Transpiles the TypeScript sources to dist/, file by file: types are dropped, not checked (`npm run lint` checks them).
 * Only files that changed since the last build are written, and files whose source is gone are removed. The programs of
 * the suite are bundled. This file is JavaScript because it runs before anything is built.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['clients', 'conformance', 'docs', 'generated', 'server', 'tools'];

/** Programs of the suite by name: to load their hundred modules one by one takes a fifth of what `--list` takes. */
const BUNDLED = { main: './conformance/cli/main.ts', thread: './conformance/cli/thread.ts' };

/**
 * Brings dist/ up to date.
 * @param {{ root?: string, log?: (line: string) => void }} [options] `log` gets one line when something was built
 * @returns how many files were written
 * @throws Error when a source is not valid TypeScript; the message names the file, the line and the error
 */
export async function build({
  root = ROOT,
  log = (line) => process.stderr.write(`${line}\n`),
} = {}) {
  const started = performance.now();
  const manifestFile = join(root, 'dist', '.manifest.json');
  /** @type {Record<string, string>} */
  const before = existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {};
  /** @type {typeof before} */
  const now = {};
  const folders = FOLDERS.map((folder) => join(root, folder)).filter((folder) =>
    existsSync(folder),
  );
  for (const source of folders.flatMap(sourcesIn)) {
    const { mtimeMs, size } = statSync(source);
    now[relative(root, source)] = `${mtimeMs} ${size}`;
  }
  const changed = Object.keys(now).filter(
    (file) => now[file] !== before[file] || !existsSync(outputOf(root, file)),
  );
  const gone = Object.keys(before).filter((file) => !(file in now));
  if (changed.length === 0 && gone.length === 0) {
    return 0;
  }

  // Loaded here, because most runs have nothing to build.
  const { transformSync } = await import('oxc-transform');
  for (const file of changed) {
    const { code, errors } = transformSync(file, readFileSync(join(root, file), 'utf8'), {
      typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true },
    });
    if (errors.length > 0) {
      throw new Error(`${file}: ${errors[0]?.codeframe ?? errors[0]?.message}`);
    }
    write(outputOf(root, file), code);
  }
  const ofSuite = [...changed, ...gone].some((file) => file.startsWith('conformance'));
  for (const file of gone) {
    rmSync(outputOf(root, file), { force: true });
  }
  // After the removals: a bundle may stand where an output of a removed source stood.
  if (ofSuite && existsSync(join(root, BUNDLED.main))) {
    await bundle(root);
  }
  // Last, so that an interrupted build is repeated.
  write(manifestFile, JSON.stringify(now));
  log(`built ${changed.length} files in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return changed.length;
}

/** Libraries stay what they are. `thread.js` is beside the module that starts it. @param {string} root */
async function bundle(root) {
  const { rolldown } = await import('rolldown');
  /** @type {import('rolldown').ExternalOptionFunction} */
  const external = (id, _, isResolved) => !isResolved && !/^\.\.?\//.test(id);
  const bundled = await rolldown({ cwd: root, input: BUNDLED, platform: 'node', external });
  const { output } = await bundled.generate({
    entryFileNames: ({ name }) => (name === 'main' ? 'main.js' : 'bundle/[name].js'),
    chunkFileNames: 'bundle/[name].js',
  });
  const dist = join(root, 'dist', 'conformance');
  const before = existsSync(join(dist, 'bundle')) ? readdirSync(join(dist, 'bundle')) : [];
  for (const one of output) {
    write(join(dist, one.fileName), /** @type {{ code: string }} */ (one).code);
  }
  const now = output.map(({ fileName }) => fileName);
  for (const file of before) {
    if (!now.includes(`bundle/${file}`)) {
      rmSync(join(dist, 'bundle', file));
    }
  }
}

/** @param {string} folder @returns {string[]} */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      return entry.name === 'node_modules' ? [] : sourcesIn(path);
    }
    return /(?<!\.d|\.test|\.suite)\.ts$/.test(entry.name) ? [path] : [];
  });
}

/** @param {string} root @param {string} file */
function outputOf(root, file) {
  return join(root, 'dist', file.replace(/\.ts$/, '.js'));
}

/** Replaces a file in one step: another process may be reading it. @param {string} file @param {string} content */
function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}
