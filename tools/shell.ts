/** Runs other programs, reports their errors, and installs those that are not npm packages. */
import { execFile } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
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

/** @returns stdout, and both streams. @throws {CommandError} with their end, when it cannot start, fails or hangs */
export function run({
  command,
  args,
  cwd,
  env,
}: Step): Promise<{ stdout: string; output: string }> {
  const options = { cwd, env: { ...process.env, ...env }, timeout: LIMIT_MS, maxBuffer: Infinity };
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) {
        return resolve({ stdout, output: stdout + stderr });
      }
      if (child.pid === undefined) {
        return reject(new CommandError(`${command} cannot be started: ${error.message}`));
      }
      const end = [stdout, stderr].map((text) =>
        text.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n'),
      );
      const how = child.signalCode ?? `exit code ${child.exitCode}`;
      return reject(
        new CommandError(
          `${[command, ...args].join(' ')}\nended with ${how}:\n${end.join('\n').trim()}`,
        ),
      );
    });
    child.stdin?.end();
  });
}

/** The tools that are not on the PATH. */
export function missing(tools: readonly string[], path = process.env['PATH'] ?? ''): string[] {
  return tools.filter(
    (tool) => !path.split(delimiter).some((folder) => isExecutable(join(folder, tool))),
  );
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A folder that is kept between runs, in $XDG_CACHE_HOME/edge-contract, by default ~/.cache/edge-contract. */
export function cacheFolder(name: string): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'edge-contract', name);
}

/** The folder of that name, which has the version of the tool, filled once. An interrupted install is repeated. */
export async function cached(
  name: string,
  install: (folder: string) => Promise<unknown>,
): Promise<string> {
  const folder = cacheFolder(name);
  const mark = join(folder, '.complete');
  if (existsSync(mark)) {
    return folder;
  }
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await install(folder);
  writeFileSync(mark, '');
  return folder;
}

/** The folder of a virtual environment for which pip is given `what`, made once. @param name has its versions */
export function pythonEnvironment(name: string, ...what: string[]): Promise<string> {
  return cached(name, async (to) => {
    await run({ command: 'python3', args: ['-m', 'venv', to] });
    const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...what];
    await run({ command: join(to, 'bin', 'python'), args });
  });
}

/** The environment of a program. @param requirements a file of `pip freeze` @throws Error when it has another version */
export async function pythonProgram(
  name: string,
  version: string,
  requirements: string,
): Promise<string> {
  if (!readFileSync(requirements, 'utf8').includes(`${name}==${version}\n`)) {
    throw new Error(`${requirements} has another version of ${name} than ${version}`);
  }
  return pythonEnvironment(`${name}-${version}`, '-r', requirements);
}
