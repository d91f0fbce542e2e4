/** Runs other programs, reports their errors, and installs programs that are not npm packages. */
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

export interface Output {
  stdout: string;
  /** Stdout, and then stderr. */
  output: string;
}

/** Longer than any download or build takes on a slow machine. */
const TIMEOUT_MS = 20 * 60_000;

/**
 * Runs a program.
 * @throws {CommandError} with the end of its output, if it cannot start, fails or takes too long
 */
export function run({ command, args, cwd, env }: Step): Promise<Output> {
  const options = {
    cwd,
    env: { ...process.env, ...env },
    timeout: TIMEOUT_MS,
    maxBuffer: Infinity,
  };
  return new Promise((resolve, reject) => {
    const child = execFile(command, args, options, (error, stdout, stderr) => {
      if (error === null) {
        resolve({ stdout, output: stdout + stderr });
      } else if (child.pid === undefined) {
        reject(new CommandError(`${command} cannot be started: ${error.message}`));
      } else {
        const line = [command, ...args].join(' ');
        const reason = child.signalCode ?? `exit code ${child.exitCode}`;
        const end = `${lastLines(stdout)}\n${lastLines(stderr)}`.trim();
        reject(new CommandError(`${line}\nended with ${reason}:\n${end}`));
      }
    });
    child.stdin?.end();
  });
}

const SHOWN_LINES = 30;

function lastLines(text: string): string {
  const lines = text.trimEnd().split('\n');
  return lines.slice(-SHOWN_LINES).join('\n');
}

/** The tools that are not on the PATH. */
export function missing(tools: readonly string[], path = process.env['PATH'] ?? ''): string[] {
  const folders = path.split(delimiter);
  return tools.filter((tool) => !folders.some((folder) => isExecutable(join(folder, tool))));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * A folder that is kept between runs, in $XDG_CACHE_HOME/edge-contract, by default
 * ~/.cache/edge-contract.
 */
export function cacheFolder(name: string): string {
  const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'edge-contract', name);
}

/**
 * A folder that is filled once and then kept. An interrupted install is repeated.
 * @param name of the folder; it has the version of what is installed
 */
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

/**
 * The folder of a virtual environment of Python, made once.
 * @param name has the versions of the packages @param packages arguments of `pip install`
 */
export function pythonEnvironment(name: string, ...packages: string[]): Promise<string> {
  return cached(name, (folder) => installPython(folder, packages));
}

async function installPython(folder: string, packages: readonly string[]): Promise<void> {
  await run({ command: 'python3', args: ['-m', 'venv', folder] });
  const args = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages];
  await run({ command: join(folder, 'bin', 'python'), args });
}

/**
 * The virtual environment of a program.
 * @param requirements a file of `pip freeze` @param onInstall is called before it is made
 * @throws Error if the file has another version of the program
 */
export async function pythonProgram(
  name: string,
  version: string,
  requirements: string,
  onInstall: () => void = () => {},
): Promise<string> {
  if (!readFileSync(requirements, 'utf8').includes(`${name}==${version}\n`)) {
    throw new Error(`${requirements} has another version of ${name} than ${version}`);
  }
  return cached(`${name}-${version}`, (folder) => {
    onInstall();
    return installPython(folder, ['-r', requirements]);
  });
}
