/**
 * Transpiles the TypeScript sources to dist/, file by file: types are dropped and not checked (`npm
 * run lint` checks them). Only files that changed since the last build are written, and files whose
 * source is gone are removed. The programs of the suite are bundled. This file is JavaScript,
 * because it runs before anything is built.
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

/**
 * The programs of the suite, by name. Loading their hundred modules one by one takes a fifth of the
 * time of `--list`.
 */
const BUNDLED = { main: './conformance/cli/main.ts', thread: './conformance/cli/thread.ts' };

/**
 * The state of each source at a build: its time and size, by its path.
 * @typedef {Record<string, string>} Manifest
 */

/**
 * Brings dist/ up to date.
 * @param {{ root?: string, log?: (line: string) => void }} [options] `log` gets one line if
 *   something was built
 * @returns how many files were written
 * @throws Error if a source is not valid TypeScript; the message names the file, the line and the
 *   error
 */
export async function build({
  root = ROOT,
  log = (line) => process.stderr.write(`${line}\n`),
} = {}) {
  const started = performance.now();
  const manifestFile = join(root, 'dist', '.manifest.json');
  const before = readManifest(manifestFile);
  const now = manifestOf(root);
  const changed = Object.keys(now).filter(
    (file) => now[file] !== before[file] || !existsSync(outputOf(root, file)),
  );
  const gone = Object.keys(before).filter((file) => !(file in now));
  if (changed.length === 0 && gone.length === 0) {
    return 0;
  }

  await transpile(root, changed);
  for (const file of gone) {
    rmSync(outputOf(root, file), { force: true });
  }
  const isSuiteChanged = [...changed, ...gone].some((file) => file.startsWith('conformance'));
  // After the removals, since a bundle may have the path of a removed output.
  if (isSuiteChanged && existsSync(join(root, BUNDLED.main))) {
    await bundle(root);
  }
  // Last, so that an interrupted build is repeated.
  write(manifestFile, JSON.stringify(now));
  const seconds = (performance.now() - started) / 1000;
  log(`built ${changed.length} files in ${seconds.toFixed(1)} s`);
  return changed.length;
}

/** @param {string} file @returns {Manifest} */
function readManifest(file) {
  if (!existsSync(file)) {
    return {};
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** @param {string} root @returns {Manifest} */
function manifestOf(root) {
  const folders = FOLDERS.map((folder) => join(root, folder)).filter((path) => existsSync(path));
  /** @type {Manifest} */
  const manifest = {};
  for (const source of folders.flatMap(sourcesIn)) {
    const { mtimeMs, size } = statSync(source);
    manifest[relative(root, source)] = `${mtimeMs} ${size}`;
  }
  return manifest;
}

/** Sources, but no declarations and no tests. */
const SOURCE = /(?<!\.d|\.test|\.suite)\.ts$/;

/** @param {string} folder @returns {string[]} */
function sourcesIn(folder) {
  /** @type {string[]} */
  const sources = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') {
      sources.push(...sourcesIn(path));
    } else if (SOURCE.test(entry.name)) {
      sources.push(path);
    }
  }
  return sources;
}

/** @param {string} root @param {string[]} files paths from the root */
async function transpile(root, files) {
  // Loaded here, because most runs have nothing to build.
  const { transformSync } = await import('oxc-transform');
  for (const file of files) {
    const { code, errors } = transformSync(file, readFileSync(join(root, file), 'utf8'), {
      typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true },
    });
    const [error] = errors;
    if (error) {
      throw new Error(`${file}: ${error.codeframe ?? error.message}`);
    }
    write(outputOf(root, file), code);
  }
}

/**
 * Imports of libraries stay as they are. `thread.js` is beside the module that starts it.
 * @param {string} root
 */
async function bundle(root) {
  const { rolldown } = await import('rolldown');
  /** @type {import('rolldown').ExternalOptionFunction} */
  const isLibrary = (id, _, isResolved) => !isResolved && !/^\.\.?\//.test(id);
  const bundled = await rolldown({
    cwd: root,
    input: BUNDLED,
    platform: 'node',
    external: isLibrary,
  });
  const { output } = await bundled.generate({
    entryFileNames: ({ name }) => (name === 'main' ? 'main.js' : 'bundle/[name].js'),
    chunkFileNames: 'bundle/[name].js',
  });
  const dist = join(root, 'dist', 'conformance');
  const folder = join(dist, 'bundle');
  const before = existsSync(folder) ? readdirSync(folder) : [];
  for (const chunk of output) {
    if (chunk.type === 'chunk') {
      write(join(dist, chunk.fileName), chunk.code);
    }
  }
  const now = output.map(({ fileName }) => fileName);
  for (const file of before) {
    if (!now.includes(`bundle/${file}`)) {
      rmSync(join(folder, file));
    }
  }
}

/** @param {string} root @param {string} file */
function outputOf(root, file) {
  return join(root, 'dist', file.replace(/\.ts$/, '.js'));
}

/**
 * Replaces a file in one step: another process may be reading it.
 * @param {string} file
 * @param {string} content
 */
function write(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, content);
  renameSync(temporary, file);
}
