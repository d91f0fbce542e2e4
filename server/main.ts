#!/usr/bin/env node
/** The program: the streams, signals and exit code of the process around `main`. */
import { main } from './command.ts';
import { endWithShell } from './npm-shell.ts';
import { warnOfUrlParseUnheard } from './url-parse.ts';

const { stdin, stdout, stderr } = process;
// Their reader may stop reading: the server goes on, and a command ends with its own exit
// code.
for (const stream of [stdout, stderr]) {
  stream.on('error', () => undefined);
}
endWithShell(process, process.env['npm_lifecycle_script']);
await warnOfUrlParseUnheard();
process.exitCode = await main(process.argv.slice(2), process.env, {
  stdin,
  stdout,
  stderr,
  signals: process,
});
