/**
 * What a person sees while the suite runs: a bar on a terminal, plain lines elsewhere, failures in full as they come.
 */
import type { Output } from './output.ts';
import type { Progress } from '../run/run.ts';
import type { Redact } from './redact.ts';
import { redactResult } from './redact.ts';
import { renderFailure } from './terminal.ts';

export interface LiveProgress extends Required<Progress> {
  begin(title: string): void;
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
  let total = 0;
  let done = 0;
  let cases = 0;
  let failed = 0;

  const clear = () => live && stream.write('\r\u001B[2K');
  const draw = (id: string) => {
    if (!live) return;
    const filled = total === 0 ? 0 : Math.round((BAR * done) / total);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    const line = `${bar} ${done}/${total}  ${cases} cases  ${failed} failed  ${id}`;
    clear();
    stream.write(line.slice(0, (stream.columns ?? 80) - 1));
  };

  return {
    begin: (title) => void stream.write(`${redact(title)}\n\n`),
    started: (count) => {
      total = count;
    },
    tried: (id, count) => {
      cases += count;
      draw(id);
    },
    finished: (result, count) => {
      done = count;
      if (result.status === 'fail') {
        failed++;
        clear();
        const shown = redactResult(result, redact);
        stream.write(`${renderFailure(shown, { colour, width: stream.columns ?? 100 })}\n`);
      } else if (!live) {
        const reason = result.reason === undefined ? '' : `  (${redact(result.reason)})`;
        stream.write(`${result.status.padEnd(8)} ${result.id}  ${result.cases} cases${reason}\n`);
      }
      draw(result.id);
    },
    end: () => void clear(),
  };
}
