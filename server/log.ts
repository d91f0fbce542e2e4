/** The log: lines of JSON. */
import type { Writable } from 'node:stream';
import { destination, type Logger, pino } from 'pino';

/** How long a line may wait for others, and how much text of them is written at once. */
const GATHERED_MS = 100;
const GATHERED_LENGTH = 8192;

/**
 * @param out a stream of the process is written to by its file descriptor, several lines at once, which takes a third of
 *   what a write for each does. Whatever ends the process writes them, except for kill -9: it can lose the lines of the last
 *   tenth of a second
 */
export function openLog(level: string, out: Writable & { fd?: number }): Logger {
  const { fd } = out;
  if (fd === undefined) return pino({ level }, out);
  return pino(
    { level },
    destination({ dest: fd, sync: false, minLength: GATHERED_LENGTH, periodicFlush: GATHERED_MS }),
  );
}
