/** Runs programs as a user does. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The built program of the suite. */
export const MAIN = join(ROOT, 'dist/conformance/main.js');

/** Settings of the shell that runs the tests, which change what the program prints. */
const NOT_INHERITED: ReadonlySet<string> = new Set([
  'CONFORMANCE_TOKEN',
  'CONFORMANCE_READ_ONLY_TOKEN',
  'CONFORMANCE_OTHER_TOKEN',
  'NO_COLOR',
  'FORCE_COLOR',
]);

export interface ProcessOptions {
  env?: Readonly<Record<string, string | undefined>>;
  cwd?: string;
}

export interface Ended {
  /** Null if a signal ended the process. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

export function start(
  file: string,
  args: readonly string[],
  { env, cwd = ROOT }: ProcessOptions = {},
): Running {
  const all = Object.entries(process.env);
  const inherited = Object.fromEntries(all.filter(([name]) => !NOT_INHERITED.has(name)));
  const options = { cwd, env: { ...inherited, ...env }, maxBuffer: Infinity };
  const running = promisify(execFile)(file, args, options);
  const { child } = running;
  child.stdin?.end();
  const ended = running
    // An exit code other than 0 is an error that has the output, too.
    .catch((error: { stdout: string; stderr: string }) => error)
    .then(({ stdout, stderr }) => {
      return { code: child.exitCode, signal: child.signalCode, stdout, stderr };
    });
  return { ended, kill: (signal) => void child.kill(signal) };
}

export function run(
  file: string,
  args: readonly string[],
  options?: ProcessOptions,
): Promise<Ended> {
  return start(file, args, options).ended;
}
