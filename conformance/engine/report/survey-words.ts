/** The results of the survey of a service, for people. */
import type { Refusal } from '../http/recipe.ts';
import type { SurveyedOperation } from '../run/result.ts';

/** More operations than these are counted, and not named. */
const MOST_NAMED = 5;

/** `reached 31 of 35 operations; 2 not reached: …; 2 left out: …`. */
export function surveyLine(survey: readonly SurveyedOperation[]): string {
  const of = (outcome: SurveyedOperation['outcome']) =>
    survey.filter((one) => one.outcome === outcome);
  const reached = of('reached');
  const open = of('not reached');
  const leftOut = of('left out');
  const parts = [`reached ${reached.length} of ${reached.length + open.length} operations`];
  if (open.length > 0) {
    parts.push(`${open.length} not reached: ${named(open)} (--survey says why)`);
  }
  if (leftOut.length > 0) {
    parts.push(`${leftOut.length} left out: ${named(leftOut)}`);
  }
  return parts.join('; ');
}

function named(operations: readonly SurveyedOperation[]): string {
  const names = operations.slice(0, MOST_NAMED).map(({ operation }) => operation);
  const more = operations.length > MOST_NAMED ? ', …' : '';
  return names.join(', ') + more;
}

const WIDTH = 'not reached  '.length;

/** A line for each operation; below those that were not reached, the calls that were tried. */
export function surveyText(survey: readonly SurveyedOperation[]): string {
  const lines = [surveyLine(survey), ''];
  for (const surveyed of survey) {
    const { operation, outcome, status = '', how = '', reason = '', flaw } = surveyed;
    const isReached = outcome === 'reached';
    lines.push(`${outcome.padEnd(WIDTH)}${operation}  ${isReached ? `${status}  ${how}` : reason}`);
    const notes: string[] = [];
    if (flaw !== undefined) {
      notes.push(`not as documented: ${flaw}`);
    }
    if (surveyed.refusal !== undefined) {
      notes.push(refusalInWords(surveyed.refusal));
    }
    if (outcome === 'not reached') {
      notes.push(...surveyed.tried.map((one) => `${one.status || 'none'}  ${one.how}`));
    }
    lines.push(...notes.map((note) => ' '.repeat(WIDTH) + note));
  }
  return `${lines.join('\n')}\n`;
}

export const refusalInWords = ({ request, response }: Refusal): string =>
  `${request} → ${response}`;
