/** Runs the command that renders the docs beside a server that serves already. */
import { spawn } from 'node:child_process';
import type { Logger } from 'pino';

export interface Rendering {
  /** Rejects when the command failed; the log says why. */
  done: Promise<void>;
  /** Ends the command. */
  stop(): void;
}

/** Of what a command prints before it fails, the last so many characters go into the log. */
const KEPT = 2000;

export function renderDocs(command: string, log: Logger): Rendering {
  const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let stopping = false;
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-KEPT)));
  }
  const done = new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`it ended with ${code ?? signal}`));
    });
  });
  done.catch((error: Error) => {
    if (!stopping) log.error({ command, reason: error.message, output: output.trim() }, 'the docs cannot be rendered');
  });
  return {
    done,
    stop: () => {
      stopping = true;
      child.kill();
      // What it has started may hold these open, and the server is to end.
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}
