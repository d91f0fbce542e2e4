/** Runs the command in this process, as a shell would run the program; and programs as a user does. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { main } from './command.ts';
import type { Report } from '../engine/run/result.ts';
import type { Io } from './run-and-report.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export interface Surroundings extends Partial<Pick<Io, 'env' | 'cwd' | 'signal' | 'startedAt'>> {
  /** The columns of the terminal that stdout is; by default stdout is none. */
  columns?: number;
}

/** @param line arguments between spaces; one that has a space stands between double quotes */
export async function suite(
  line: string,
  {
    env = {},
    columns,
    cwd = ROOT,
    signal = new AbortController().signal,
    startedAt = Date.now(),
  }: Surroundings = {},
) {
  const args = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare!);
  let stdout = '';
  let stderr = '';
  const code = await main(args, {
    env,
    stdout: { write: (text: string) => (stdout += text), isTTY: columns !== undefined, columns },
    stderr: { write: (text: string) => (stderr += text) },
    cwd,
    signal,
    startedAt,
  });
  return { code, stdout, stderr };
}

export async function reportOf(line: string, surroundings?: Surroundings) {
  const finished = await suite(`${line} --format json`, surroundings);
  return { ...finished, report: JSON.parse(finished.stdout) as Report };
}

/** Options that choose these requirements, by how their ids begin. */
export const only = (...ids: string[]): string => ids.map((id) => `--only ${id}`).join(' ');

/** A folder that is gone when the test is over, with these files in it. */
export function folderWith(files: Record<string, string> = {}) {
  const path = mkdtempSync(join(tmpdir(), 'conformance-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return {
    path,
    file: (name: string) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}

export const MAIN = join(ROOT, 'dist/conformance/main.js');

/** Settings of the shell that runs the tests, which change what the program prints. */
const OWN = ['CONFORMANCE_TOKEN', 'CONFORMANCE_READ_ONLY_TOKEN', 'NO_COLOR', 'FORCE_COLOR'];

export function start(
  file: string,
  args: readonly string[],
  more: Pick<Surroundings, 'env' | 'cwd'> = {},
) {
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !OWN.includes(name)),
  );
  const options = { cwd: ROOT, ...more, env: { ...inherited, ...more.env }, maxBuffer: Infinity };
  const running = promisify(execFile)(file, args, options);
  const { child } = running;
  child.stdin?.end();
  // An exit code other than 0 is an error that has the output, too.
  const ended = running
    .catch((error: { stdout: string; stderr: string }) => error)
    .then(({ stdout, stderr }) => ({
      code: child.exitCode,
      signal: child.signalCode,
      stdout,
      stderr,
    }));
  return { ended, kill: (signal: NodeJS.Signals) => void child.kill(signal) };
}

export const run = (...command: Parameters<typeof start>) => start(...command).ended;
