/** Runs the command that renders the docs while the server serves already. */
import { exec, type ExecException } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from 'pino';

/** How many characters the log has of the output of a command that failed: the last ones. */
const KEPT = 2000;

/** @returns `done`, which rejects when the command failed (the log says why), and `stop`, which ends the command */
export function renderDocs(command: string, log: Logger) {
  let stopping = false;
  const ended = promisify(exec)(command, { maxBuffer: Infinity });
  const done = ended.then(
    () => undefined,
    ({ code, signal, stdout = '', stderr = '' }: ExecException) => {
      const reason = `it ended with ${code ?? signal}`;
      const output = (stdout + stderr).trim().slice(-KEPT);
      if (!stopping) log.error({ command, reason, output }, 'the docs cannot be rendered');
      throw new Error(reason);
    },
  );
  done.catch(() => undefined);
  return {
    done,
    stop: () => {
      stopping = true;
      ended.child.kill();
      // Programs that it has started may hold these open, and the server is to end.
      ended.child.stdout?.destroy();
      ended.child.stderr?.destroy();
    },
  };
}
