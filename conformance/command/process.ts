/** Runs the built program, and others, as a user does: a process with arguments, an environment and two streams. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './suite.ts';

export const MAIN = join(ROOT, 'dist/conformance/main.js');

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  ended: Promise<Ended>;
  kill(signal: NodeJS.Signals): void;
}

export interface ProcessOptions {
  env?: Record<string, string>;
  cwd?: string;
}

export function start(file: string, args: readonly string[], { env = {}, cwd = ROOT }: ProcessOptions = {}): Running {
  const {
    CONFORMANCE_TOKEN: _,
    CONFORMANCE_READ_ONLY_TOKEN: __,
    NO_COLOR: ___,
    FORCE_COLOR: ____,
    ...inherited
  } = process.env;
  const child = spawn(file, args, { cwd, env: { ...inherited, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { ended, kill: (signal) => void child.kill(signal) };
}

export function run(file: string, args: readonly string[], options?: ProcessOptions): Promise<Ended> {
  return start(file, args, options).ended;
}

/** The built program. */
export function program(args: readonly string[], options?: ProcessOptions): Promise<Ended> {
  return run(process.execPath, [MAIN, ...args], options);
}
