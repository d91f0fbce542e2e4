import type { Output } from '../engine/report/progress.ts';
import type { Env } from './config-file.ts';

/** The surroundings of the command: the program passes those of its process, a test its own. */
export interface Io {
  stdout: Output;
  stderr: Output;
  env: Env;
  /** Relative paths of options start here. */
  cwd: string;
  /** Ends a run early, with its clean-up; its reason is shown. */
  signal: AbortSignal;
  /** Since when the user waits, in milliseconds since 1970. */
  startedAt: number;
}
