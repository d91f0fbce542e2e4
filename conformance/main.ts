#!/usr/bin/env node
/** The program: hands the process to the command, and its result to the shell. */
import { main } from './cli.ts';

// Whatever ends the process before there is a result, it is no success.
process.exitCode = 2;

// Whoever read the output may be gone (`| head`): the run goes on, to clean up behind itself and for its exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(2);
  });
}

// The first signal ends the run in order, with its clean-up and its reports; a second one at once.
const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => controller.abort(`${signal} stopped the run before its end: run it again`));
}

void main(process.argv.slice(2), process.env, {
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  signal: controller.signal,
  startedAt: performance.timeOrigin,
}).then((code) => {
  process.exitCode = code;
});
