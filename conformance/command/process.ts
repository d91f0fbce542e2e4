/** Runs the built program, and others, as a user does: a process with arguments, an environment and two streams. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
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
  const child = spawn(file, args, { cwd, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<{ code: number | null; signal: string | null; stdout: string; stderr: string }>(
    (resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
    },
  );
  return { ended, kill: (signal: NodeJS.Signals) => void child.kill(signal) };
}

export function run(...command: Parameters<typeof start>) {
  return start(...command).ended;
}
