/** The surroundings of the command: the program passes those of its process, a test its own. */
import type { Output } from './engine/report/progress.ts';

export interface Io {
  stdout: Output;
  stderr: Output;
  /** Relative paths of options start here. */
  cwd: string;
  /** Ends a run early, with its clean-up; its reason is shown. */
  signal: AbortSignal;
  /** Since when the user waits, in milliseconds since 1970. */
  startedAt: number;
}

export type Env = Readonly<Record<string, string | undefined>>;

export function hasColour({ isTTY }: Output, env: Env): boolean {
  return Boolean(isTTY) && !env['NO_COLOR'];
}
