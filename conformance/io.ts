/** What the command knows of its surroundings: the program gives it those of the process, a test its own. */
import type { Output } from './engine/report/output.ts';

export type { Output };

export interface Io {
  stdout: Output;
  stderr: Output;
  /** Relative paths of options start here. */
  cwd: string;
  /** Ends a run early, in order; its reason says why. */
  signal: AbortSignal;
  /** Since when the user waits, in milliseconds since 1970. */
  startedAt: number;
}

export type Env = Readonly<Record<string, string | undefined>>;

export function hasColour({ isTTY }: Output, env: Env): boolean {
  return Boolean(isTTY) && !env['NO_COLOR'];
}
