/** Runs the built program, and others, as a user does: a process with arguments, an environment and two streams. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './suite.ts';

export const MAIN = join(ROOT, 'dist/conformance/main.js');

/** Settings of the shell that runs the tests, which change what the program prints. */
const OWN = ['CONFORMANCE_TOKEN', 'CONFORMANCE_READ_ONLY_TOKEN', 'NO_COLOR', 'FORCE_COLOR'];

export function start(
  file: string,
  args: readonly string[],
  { env = {}, cwd = ROOT }: { env?: Record<string, string>; cwd?: string } = {},
) {
  const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !OWN.includes(name)));
  const running = promisify(execFile)(file, args, { cwd, env: { ...inherited, ...env }, maxBuffer: Infinity });
  const { child } = running;
  child.stdin?.end();
  // An exit code other than 0 is an error that has the output, too.
  const ended = running
    .catch((error: { stdout: string; stderr: string }) => error)
    .then(({ stdout, stderr }) => ({ code: child.exitCode, signal: child.signalCode, stdout, stderr }));
  return { ended, kill: (signal: NodeJS.Signals) => void child.kill(signal) };
}

export function run(...command: Parameters<typeof start>) {
  return start(...command).ended;
}
