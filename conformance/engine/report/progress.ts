/** A bar on a terminal, elsewhere lines now and then; a line for each cause. Failures themselves come at the end. */
import { isBroken } from '../run/verdict.ts';
import type { RequirementResult } from '../run/result.ts';
import { type Redact, redacted } from './redact.ts';
import { fit, oneLine, painter } from './text.ts';
import { reasonsOf, signOf } from './words.ts';

/** Where text goes: a terminal, a file or a test. */
export interface Output {
  write(text: string): unknown;
  /** Whether a person looks at it, so that it may be overwritten and coloured. */
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

const BAR = 24;

/** So many requirements or fewer are named one by one where nothing is overwritten. */
const FEW = 50;

/** @param verbose whether each requirement is named */
export function createProgress(to: Output, colour: boolean, redact: Redact, verbose: boolean) {
  const live = Boolean(to.isTTY);
  const paint = painter(colour);
  const width = () => (to.columns || 80) - 1;
  let total = 0;
  let done = 0;
  let cases = 0;
  let broken = 0;
  /** Shown already: a hundred failures of one cause are not a hundred lines. */
  const causes = new Set<string>();

  const clear = () => live && to.write('\r\u001B[2K');
  const draw = (id: string) => {
    if (!live) {
      return;
    }
    const filled = total === 0 ? 0 : Math.round((BAR * done) / total);
    const bar = '█'.repeat(filled) + '░'.repeat(BAR - filled);
    clear();
    to.write(fit(`${bar} ${done}/${total}  ${cases} cases  ${broken} broken  ${id}`, width()));
  };
  const causeLine = ({ id, status, failure }: RequirementResult) => {
    const cause = `${status} ${failure?.cause ?? id}`;
    if (causes.has(cause)) {
      return;
    }
    causes.add(cause);
    clear();
    const line = `${signOf({ status })} ${oneLine(`${id}: ${failure?.cause ?? ''}`)}`;
    to.write(`${paint(status === 'fail' ? 'red' : 'yellow', fit(line, width()))}\n`);
  };
  const plainLine = (result: RequirementResult) => {
    const reasons = [...(result.failure ? [result.failure.cause] : []), ...reasonsOf(result)];
    const notes = reasons.map((reason) => `  (${oneLine(reason)})`).join('');
    to.write(`${result.status.padEnd(8)} ${result.id}  ${result.cases} cases${notes}\n`);
  };

  return {
    /** @param title of the contract, before the first request */
    begin: (title: string) => {
      to.write(`${redact(title)}\n`);
      draw('looking at the service');
    },
    /** @param line about the service, once it is known */
    about: (line: string) => {
      clear();
      to.write(`${redact(line)}\n\n`);
    },
    started: (all: number) => {
      total = all;
      draw('');
    },
    trying: draw,
    finished: (result: RequirementResult, finished: number) => {
      done = finished;
      cases += result.cases;
      const shown = redacted(result, redact);
      if (isBroken(result)) {
        broken++;
      }
      clear();
      if (verbose || (!live && total <= FEW)) {
        plainLine(shown);
      } else if (isBroken(result)) {
        causeLine(shown);
      }
      const tenth = (count: number) => Math.floor((10 * count) / total);
      if (!live && total > FEW && tenth(done) > tenth(done - 1)) {
        to.write(`${done}/${total} requirements, ${cases} cases, ${broken} broken\n`);
      }
      draw(result.id);
    },
    end: () => void clear(),
  };
}
