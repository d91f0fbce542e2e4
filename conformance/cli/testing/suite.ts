/** Runs the command in this process, as a shell would run the program. */
import type { Report } from '../../engine/run/result.ts';
import { main } from '../command.ts';
import type { Io } from '../io.ts';
import { ROOT } from './processes.ts';

export interface Surroundings extends Partial<Pick<Io, 'env' | 'cwd' | 'signal' | 'startedAt'>> {
  /** The columns of the terminal that stdout is; undefined if stdout is not a terminal. */
  columns?: number;
}

/** An argument: between spaces, or between double quotes if it has a space itself. */
const ARGUMENT = /"(?<quoted>[^"]*)"|(?<bare>\S+)/g;

/** @param line the arguments, as in a shell */
export async function suite(line: string, surroundings: Surroundings = {}) {
  const { env = {}, cwd = ROOT, startedAt = Date.now(), columns } = surroundings;
  const { signal = new AbortController().signal } = surroundings;
  const args = [...line.matchAll(ARGUMENT)].map(({ groups = {} }) => {
    return groups['quoted'] ?? groups['bare'] ?? '';
  });
  let stdout = '';
  let stderr = '';
  const write = {
    stdout: (text: string) => {
      stdout += text;
    },
    stderr: (text: string) => {
      stderr += text;
    },
  };
  const code = await main(args, {
    env,
    stdout: { write: write.stdout, isTTY: columns !== undefined, columns },
    stderr: { write: write.stderr },
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

/** Options that choose these requirements, by the beginnings of their ids. */
export function only(...ids: string[]): string {
  return ids.map((id) => `--only ${id}`).join(' ');
}
