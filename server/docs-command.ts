/** The command that renders the docs while the server serves already. */
import { exec, type ExecException } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from 'pino';

/** How many characters the log has of the output of a command that failed: the last ones. */
const KEPT_OUTPUT = 2000;

export interface Rendering {
  /** Rejects if the command failed; the log says why. */
  done: Promise<void>;
  /** Ends the command. */
  stop: () => void;
}

export function renderDocs(command: string, log: Logger): Rendering {
  let isStopping = false;
  const running = promisify(exec)(command, { maxBuffer: Infinity });
  const wait = async (): Promise<void> => {
    try {
      await running;
    } catch (error) {
      const { code, signal, stdout = '', stderr = '' } = error as ExecException;
      const reason = `it ended with ${code ?? signal}`;
      const output = (stdout + stderr).trim().slice(-KEPT_OUTPUT);
      if (!isStopping) {
        log.error({ command, reason, output }, 'the docs cannot be rendered');
      }
      throw new Error(reason, { cause: error });
    }
  };
  const done = wait();
  // A failure may come before any request waits for the docs.
  done.catch(() => undefined);
  return {
    done,
    stop: () => {
      isStopping = true;
      const { child } = running;
      child.kill();
      // Programs that it has started may hold these open, and the server is to end.
      child.stdout?.destroy();
      child.stderr?.destroy();
    },
  };
}
