/**
 * Ends the server with the shell in which npm has started it. `npm start` and `npx edge-server` run
 * the server in a shell. They pass SIGTERM on to that shell, which ends without passing it on, so
 * that the server would go on with its port and its data folder.
 */
import type { EventEmitter } from 'node:events';

const CHECK_EVERY_MS = 250;

/**
 * A script of npm that is this server alone, in the foreground. The shell of any other script may
 * end while the server is to go on, such as that of `edge-server & wait-on …`.
 */
const SERVER_ALONE = /^['"]?(?:edge-server|node tools\/run\.js server\/main)\b[^&|;<>\n]*$/;

interface Process extends EventEmitter {
  readonly ppid: number;
}

/**
 * Emits SIGTERM on the process once its parent is gone, if npm has started it.
 *
 * @param script `npm_lifecycle_script`, which npm sets
 */
export function endWithShell(process: Process, script = ''): void {
  if (!SERVER_ALONE.test(script)) {
    return;
  }
  const shell = process.ppid;
  const check = (): void => {
    if (process.ppid === shell) {
      return;
    }
    // Nobody listens before the start is complete.
    const wasHeard = process.emit('SIGTERM', 'SIGTERM');
    if (wasHeard) {
      clearInterval(timer);
    }
  };
  const timer = setInterval(check, CHECK_EVERY_MS).unref();
}
