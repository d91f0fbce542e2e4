/**
 * What a person sees while the suite runs: on a terminal a bar, what is under way, and a line for each failure; elsewhere
 * a line for each requirement. The failures themselves come at the end, by their causes.
 */
import type { Output } from './output.ts';
import type { Progress } from '../run/run.ts';
import type { RequirementResult } from '../run/result.ts';
import { isBroken } from '../run/verdict.ts';
import { begin, middle } from './columns.ts';
import type { Redact } from './redact.ts';
import { redactResult } from './redact.ts';
import { painter } from './paint.ts';
import { oneLine } from './text.ts';
import { reasonsOf, STATUS_SIGNS } from './words.ts';

export interface LiveProgress extends Required<Progress> {
  /** What is tried, before the first request. */
  begin(title: string): void;
  /** What the service has turned out to be. */
  about(line: string): void;
  end(): void;
}

const BAR = 24;

export interface ProgressOptions {
  to: Output;
  colour: boolean;
  redact: Redact;
}

export function createProgress({ to: stream, colour, redact }: ProgressOptions): LiveProgress {
  const live = Boolean(stream.isTTY);
  const paint = painter(colour);
  let total = 0;
  let done = 0;
  let cases = 0;
  let broken = 0;
  /** A cause that breaks a hundred requirements is shown once: the bar counts the others, and the end lists them. */
  const causes = new Set<string>();

  const width = () => (stream.columns ?? 80) - 1;
  const clear = () => live && stream.write('\r\u001B[2K');
  const draw = (id: string) => {
    if (!live) return;
    const filled = total === 0 ? 0 : Math.round((BAR * done) / total);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    const counts = `${bar} ${done}/${total}  ${cases} cases  ${broken} broken  `;
    clear();
    stream.write((counts + middle(id, Math.max(width() - counts.length, 0))).slice(0, width()));
  };
  const brokenLine = (result: RequirementResult) => {
    const cause = `${result.status} ${result.failure?.cause ?? result.id}`;
    if (causes.has(cause)) return;
    causes.add(cause);
    clear();
    const line = `${STATUS_SIGNS[result.status]} ${oneLine(`${result.id}: ${result.failure?.cause ?? ''}`)}`;
    stream.write(`${paint(result.status === 'fail' ? 'red' : 'yellow', begin(line, width()))}\n`);
  };
  const plainLine = (result: RequirementResult) => {
    const reasons = [...(result.failure ? [result.failure.cause] : []), ...reasonsOf(result)];
    const notes = reasons.map((reason) => `  (${oneLine(reason)})`).join('');
    stream.write(`${result.status.padEnd(8)} ${result.id}  ${result.cases} cases${notes}\n`);
  };

  return {
    begin: (title) => {
      stream.write(`${redact(title)}\n`);
      draw('looking at the service');
    },
    about: (line) => {
      clear();
      stream.write(`${redact(line)}\n\n`);
    },
    started: (all) => {
      total = all;
      draw('');
    },
    trying: (id) => draw(id),
    tried: (id, more) => {
      cases += more;
      draw(id);
    },
    finished: (result, finished) => {
      done = finished;
      const shown = redactResult(result, redact);
      if (isBroken(result)) broken++;
      if (!live) plainLine(shown);
      else if (isBroken(result)) brokenLine(shown);
      draw(result.id);
    },
    end: () => void clear(),
  };
}
