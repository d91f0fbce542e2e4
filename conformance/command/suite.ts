/** Runs the built command as a user does: a process with arguments, an environment and two streams. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { vi } from 'vitest';

// Each test waits for whole processes, on a machine that may be busy with others.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));
export const MAIN = join(ROOT, 'dist/conformance/main.js');

export interface Finished {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  finished: Promise<Finished>;
  kill(signal: NodeJS.Signals): void;
}

export interface Surroundings {
  env?: Record<string, string>;
  cwd?: string;
}

export function start(file: string, args: readonly string[], { env = {}, cwd = ROOT }: Surroundings = {}): Running {
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
  const finished = new Promise<Finished>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return { finished, kill: (signal) => void child.kill(signal) };
}

export function run(file: string, args: readonly string[], surroundings?: Surroundings): Promise<Finished> {
  return start(file, args, surroundings).finished;
}

export function suite(args: readonly string[], surroundings?: Surroundings): Promise<Finished> {
  return run(process.execPath, [MAIN, ...args], surroundings);
}

/** A folder that is gone when the test is over, with these files in it. */
export function folderWith(files: Record<string, string> = {}): {
  path: string;
  file(name: string): string;
  [Symbol.dispose](): void;
} {
  const path = mkdtempSync(join(tmpdir(), 'conformance-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return {
    path,
    file: (name) => join(path, name),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
