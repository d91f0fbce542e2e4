#!/usr/bin/env node
/** The program: hands the process to the command, and its result to the shell. */
import { setFlagsFromString } from 'node:v8';
import { main } from './command.ts';

// V8 would let the heap grow further beyond what is in use: a list of a large contract takes 310 MB then, 280 like this.
// A run has less in use: at extended it takes 15 MB more like this, 220, and a twentyfifth less CPU time.
setFlagsFromString(`--heap-growing-percent=${process.argv.includes('--list') ? 80 : 130}`);
// A run of a few seconds ends before code that V8 compiles early is worth it: a tenth of the CPU time at core, which a
// longer run saves by what is compiled later. The V8 of later versions complains about the flag.
if (process.version.startsWith('v20.')) {
  setFlagsFromString('--interrupt-budget=1000000');
  setTimeout(setFlagsFromString, 4000, '--interrupt-budget=300000').unref();
}

// A process that ends before there is a result is not a success.
process.exitCode = 2;

// The reader of the output may be gone (`| head`): the run goes on, for its clean-up and its exit code.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') {
      process.exit(2);
    }
  });
}

// The first signal ends the run with its clean-up and its reports, a second one ends it at once.
const controller = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () =>
    controller.abort(`${signal} stopped the run before its end: run it again`),
  );
}

void main(process.argv.slice(2), {
  env: process.env,
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  signal: controller.signal,
  startedAt: performance.timeOrigin,
}).then((code) => {
  process.exitCode = code;
});
