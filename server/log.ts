/** The log: lines of JSON on stdout. */
import { destination, type Logger, pino } from 'pino';

/** How long a line may wait for others, and how many bytes of them are written at once. */
const GATHERED_MS = 100;
const GATHERED_BYTES = 8_192;

/**
 * Lines are written together, which takes a third of what a write for each does. Whatever ends the process writes them, except
 * for kill -9: it can lose the lines of the last tenth of a second.
 */
export function openLog(level: string): Logger {
  return pino({ level }, destination({ sync: false, minLength: GATHERED_BYTES, periodicFlush: GATHERED_MS }));
}
