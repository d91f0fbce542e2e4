/** The log: lines of JSON on stdout. */
import { destination, type Logger, pino } from 'pino';

/** How long a line may wait for others, and how much text of them is written at once. */
const GATHERED_MS = 100;
const GATHERED_LENGTH = 16_384;

/**
 * @param gather write lines together, which takes a third of what a write for each does. Whatever ends the process writes
 *   them, except for kill -9: it can lose the lines of the last tenth of a second
 */
export function openLog(level: string, gather: boolean): Logger {
  const out = destination({ sync: true });
  return gather ? pino({ level }, gathering(out)) : pino({ level }, out);
}

interface Writable {
  write(text: string): unknown;
}

function gathering(out: Writable): Writable {
  let text = '';
  let late: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(late);
    late = undefined;
    if (text !== '') out.write(text);
    text = '';
  };
  process.once('exit', flush);
  return {
    write: (line) => {
      text += line;
      if (text.length >= GATHERED_LENGTH) flush();
      else late ??= setTimeout(flush, GATHERED_MS).unref();
    },
  };
}
