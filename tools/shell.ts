/** Runs other programs, and reports their errors. */
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** An error whose message is for the person at the terminal. */
export class CommandError extends Error {}

export interface Step {
  command: string;
  args: readonly string[];
  /** Default: the folder of this process. */
  cwd?: string;
  /** Added to the environment of this process. */
  env?: Record<string, string>;
}

/** Longer than any download or build takes on a slow machine. */
const LIMIT_MS = 20 * 60_000;
const SHOWN_LINES = 30;

/**
 * @returns stdout alone, and both streams together
 * @throws {CommandError} with the last lines of its output, when it cannot start, fails or hangs
 */
export function run({ command, args, cwd, env }: Step): Promise<{ stdout: string; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: LIMIT_MS,
    });
    let stdout = '';
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.on('error', (error) => reject(new CommandError(`${command} cannot be started: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve({ stdout, output });
      const end = output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n');
      return reject(
        new CommandError(`${[command, ...args].join(' ')}\nended with ${signal ?? `exit code ${code}`}:\n${end}`),
      );
    });
  });
}

/** The tools that are not on the PATH. */
export function missing(tools: readonly string[], path = process.env['PATH'] ?? ''): string[] {
  return tools.filter((tool) => !path.split(delimiter).some((folder) => isExecutable(join(folder, tool))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
