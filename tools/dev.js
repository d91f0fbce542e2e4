/**
 * `npm run dev`: the server, which is built and started again when a source changes. It ends on
 * SIGTERM and Ctrl-C, and with the shell in which npm runs it, since npm passes SIGTERM on to that
 * shell alone. `node --watch` would go on then, and on Node 20 it starts a watcher for each path.
 */
import { spawn } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './build.js';

/** Looking at all of them takes a few milliseconds. */
const WATCHED = ['openapi.yaml', 'server', 'generated', 'tools'];
const LOOK_EVERY_MS = 300;

const args = [
  join(ROOT, 'tools/run.js'),
  'server/main',
  '--validate-responses',
  '--docs-command',
  'node tools/run.js docs/site/build --if-stale',
  ...process.argv.slice(2),
];
const shell = process.ppid;
let isEnding = false;
let isRestarting = false;
let seen = newestChange();
let server = start();

for (const signal of /** @type {const} */ (['SIGTERM', 'SIGINT'])) {
  process.on(signal, end);
}
const timer = setInterval(look, LOOK_EVERY_MS);

function look() {
  if (process.ppid !== shell) {
    end();
    return;
  }
  const now = newestChange();
  if (now === seen) {
    return;
  }
  seen = now;
  if (hasEnded()) {
    server = start();
    return;
  }
  isRestarting = true;
  server.kill();
}

function start() {
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' });
  child.once('exit', afterEnd);
  return child;
}

function afterEnd() {
  if (isEnding) {
    return;
  }
  if (isRestarting) {
    isRestarting = false;
    server = start();
    return;
  }
  process.stderr.write('The server has ended. It starts again when a source changes.\n');
}

/** Ctrl-C has sent SIGINT to the server, too, which would end at once after a second one. */
function end() {
  isEnding = true;
  clearInterval(timer);
  server.kill('SIGTERM');
}

function hasEnded() {
  return server.exitCode !== null || server.signalCode !== null;
}

/** @returns a text that differs after each change, new file and removed file */
function newestChange() {
  const files = WATCHED.flatMap((path) => filesIn(join(ROOT, path)));
  const times = files.map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  return `${files.length} ${Math.max(...times)}`;
}

/** @param {string} path @returns {string[]} */
function filesIn(path) {
  if (!statSync(path).isDirectory()) {
    return [path];
  }
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((file) => join(file.parentPath, file.name));
}
