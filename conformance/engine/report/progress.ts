/**
 * The progress of a run: a bar on a terminal, lines now and then on another output, and
 * each new cause.
 */
import { likelyCauseOf } from '../findings/findings.ts';
import type { Failure, RequirementResult, SurveyedOperation } from '../run/result.ts';
import { isBroken } from '../run/verdict.ts';
import { fit, type Paint, painter } from './columns.ts';
import { type Redact, redacted } from './redact.ts';
import { oneLine } from './text.ts';
import { surveyLine } from './survey-words.ts';
import { reasonLines, signOf } from './words.ts';

/** The output to which text goes: a terminal, a file or a test. */
export interface Output {
  write(text: string): unknown;
  /** Whether a person looks at it, so that it may be overwritten and coloured. */
  isTTY?: boolean | undefined;
  /** Undefined or 0 if they are not known. */
  columns?: number | undefined;
}

export interface ProgressOptions {
  /** Whether text is coloured. */
  colour: boolean;
  redact: Redact;
  /** Whether each requirement is named. */
  verbose: boolean;
}

const BAR = { length: 24, done: '█', left: '░' };
const CLEAR_LINE = '\r\u001B[2K';
const USUAL_COLUMNS = 80;

/** Up to this number, requirements are named one by one on an output that is not a terminal. */
const FEW = 50;

/** Failures themselves are shown in full after the run. */
export class ProgressView {
  readonly #output: Output;
  readonly #paint: Paint;
  readonly #redact: Redact;
  readonly #verbose: boolean;
  readonly #isTerminal: boolean;
  #total = 0;
  #done = 0;
  #cases = 0;
  #broken = 0;
  /** Shown already: a hundred failures of one cause are one line. */
  readonly #causes = new Set<string>();

  constructor(output: Output, { colour, redact, verbose }: ProgressOptions) {
    this.#output = output;
    this.#paint = painter(colour);
    this.#redact = redact;
    this.#verbose = verbose;
    this.#isTerminal = Boolean(output.isTTY);
  }

  /** Before the first request. */
  begin(title: string): void {
    this.#writeLine(this.#redact(title));
    this.#draw('looking at the service');
  }

  /** @param line about the service, once it is known */
  about(line: string): void {
    this.#clear();
    this.#writeLine(`${this.#redact(line)}\n`);
  }

  /** @param total how many requirements are tried */
  started(total: number): void {
    this.#total = total;
    this.#draw('');
  }

  surveyed(survey: readonly SurveyedOperation[]): void {
    this.about(surveyLine(survey));
  }

  trying(id: string): void {
    this.#draw(id);
  }

  /** @param done how many requirements have ended, with this one */
  finished(result: RequirementResult, done: number): void {
    this.#done = done;
    this.#cases += result.cases;
    if (isBroken(result)) {
      this.#broken++;
    }
    this.#clear();
    this.#show(redacted(result, this.#redact));
    if (!this.#isTerminal && this.#total > FEW) {
      this.#showTenths();
    }
    this.#draw(result.id);
  }

  end(): void {
    this.#clear();
  }

  #show(result: RequirementResult): void {
    const namesEach = !this.#isTerminal && this.#total <= FEW;
    if (this.#verbose || namesEach) {
      this.#showResult(result);
    } else if (isBroken(result)) {
      this.#showCause(result);
    }
  }

  #showResult(result: RequirementResult): void {
    const reasons = reasonLines(result);
    if (result.failure !== undefined) {
      reasons.unshift(result.failure.cause);
    }
    const notes = reasons.map((reason) => `  (${oneLine(reason)})`).join('');
    this.#writeLine(`${result.status.padEnd(8)} ${result.id}  ${result.cases} cases${notes}`);
  }

  /** Unless the cause was shown before. */
  #showCause({ id, status, failure }: RequirementResult): void {
    const cause = `${status} ${failure === undefined ? id : likelyCauseOf(failure)}`;
    if (this.#causes.has(cause)) {
      return;
    }
    this.#causes.add(cause);
    const words = failure === undefined ? '' : causeInWords(failure, id);
    const line = `${signOf({ status })} ${oneLine(`${id}: ${words}`)}`;
    const colour = status === 'fail' ? 'red' : 'yellow';
    this.#writeLine(this.#paint(colour, fit(line, this.#columns())));
  }

  /** A line each time that another tenth of the requirements has ended. */
  #showTenths(): void {
    const tenths = (done: number) => Math.floor((10 * done) / this.#total);
    if (tenths(this.#done) > tenths(this.#done - 1)) {
      const requirements = `${this.#done}/${this.#total} requirements`;
      this.#writeLine(`${requirements}, ${this.#cases} cases, ${this.#broken} broken`);
    }
  }

  /** The bar, with what is under way. */
  #draw(id: string): void {
    if (!this.#isTerminal) {
      return;
    }
    const filled = this.#total === 0 ? 0 : Math.round((BAR.length * this.#done) / this.#total);
    const bar = BAR.done.repeat(filled) + BAR.left.repeat(BAR.length - filled);
    const parts = [
      `${bar} ${this.#done}/${this.#total}`,
      `${this.#cases} cases`,
      `${this.#broken} broken`,
      id,
    ];
    this.#clear();
    this.#output.write(fit(parts.join('  '), this.#columns()));
  }

  #clear(): void {
    if (this.#isTerminal) {
      this.#output.write(CLEAR_LINE);
    }
  }

  #writeLine(line: string): void {
    this.#output.write(`${line}\n`);
  }

  /** The last column stays free: some terminals begin a new line when it is filled. */
  #columns(): number {
    return (this.#output.columns || USUAL_COLUMNS) - 1;
  }
}

/** The description of the failure, with the operation if it is not that of the requirement. */
function causeInWords({ operation, cause }: Failure, id: string): string {
  return id.startsWith(`${operation}.`) ? cause : `${operation} ${cause}`;
}
