/** Statuses, reasons and places in words, as all reports for people have them. */
import { count, inThousands } from '../requirements/rule-in-words.ts';
import { UNSTATED } from '../contract/origins.ts';
import type { Finding, Report, RequirementResult, Status } from '../run/result.ts';
import { displayWidth } from './columns.ts';
import { oneLine } from './text.ts';

type Accepted = NonNullable<RequirementResult['accepted']>;

interface StatusWords {
  /** As it follows a number: `3 failed`. */
  word: string;
  /** For readers who do not see the colour. */
  sign: string;
}

/** In the order of importance. */
const STATUS_WORDS: Record<Status, StatusWords> = {
  fail: { word: 'failed', sign: '✗' },
  flaky: { word: 'flaky', sign: '≈' },
  error: { word: 'in error', sign: '!' },
  blocked: { word: 'blocked', sign: '⊘' },
  skip: { word: 'skipped', sign: '–' },
  disabled: { word: 'disabled', sign: '○' },
  pass: { word: 'passed', sign: '✓' },
};

/** All statuses, in the order of importance. */
export const STATUSES = Object.keys(STATUS_WORDS) as Status[];

type HasStatus = Pick<RequirementResult, 'status'>;

export function signOf({ status }: HasStatus): string {
  return STATUS_WORDS[status].sign;
}

/** Such as `✗ failed`. */
export function statusInWords({ status }: HasStatus): string {
  const { sign, word } = STATUS_WORDS[status];
  return `${sign} ${word}`;
}

export function withStatus(
  results: readonly RequirementResult[],
  status: Status,
): RequirementResult[] {
  return results.filter((result) => result.status === status);
}

export interface StatusCount {
  status: Status;
  /** Such as `3 failed`. */
  text: string;
}

/** One for each status that occurs, in the order of importance. */
export function countsOf(results: readonly RequirementResult[]): StatusCount[] {
  const counts: StatusCount[] = [];
  for (const status of STATUSES) {
    const { length } = withStatus(results, status);
    if (length > 0) {
      counts.push({ status, text: `${inThousands(length)} ${STATUS_WORDS[status].word}` });
    }
  }
  return counts;
}

/** Such as `3 failed, 20 passed`. */
export function countsInWords(results: readonly RequirementResult[]): string {
  return countsOf(results)
    .map(({ text }) => text)
    .join(', ');
}

/** The reason why a requirement has not passed, and the day until which its failure is excused. */
export function reasonLines(result: RequirementResult): string[] {
  const { reason, accepted } = result;
  const reasons: string[] = [];
  if (reason !== undefined) {
    reasons.push(reason);
  }
  reasons.push(...reasonsOfKnown(result));
  if (accepted !== undefined) {
    reasons.push(acceptedInWords(accepted));
  }
  return reasons;
}

/** Why a failure is excused or was, if it is a known one. */
export function reasonsOfKnown({ known_failure: known }: RequirementResult): string[] {
  if (known === undefined) {
    return [];
  }
  const until = known.expired ? ', expired on' : ' until';
  return [`known failure${until} ${known.expires}: ${known.reason}`];
}

function acceptedInWords({ reason, expires, expired }: Accepted): string {
  return `accepted${expired ? ', expired on' : ' until'} ${expires}: ${reason}`;
}

/** Notes on a finding that a reader must see beside its title. */
export function notesOfFinding({ flaky, accepted, at_once: isAtOnce }: Finding): string[] {
  const notes: string[] = [];
  if (isAtOnce) {
    notes.push('only while other requests are under way: the same case passed alone');
  }
  if (flaky) {
    notes.push('flaky: the same case passed when it was tried again');
  }
  if (accepted) {
    notes.push(acceptedInWords(accepted));
  }
  return notes;
}

/**
 * The operations or areas of a finding, if its title has no more than their number.
 * @param room in columns; those that have no room are counted
 */
export function placesInShort({ title, operations, kind }: Finding, room: number): string {
  const areNamed = operations.every((name) => name === '*' || title.includes(name));
  if (areNamed) {
    return '';
  }
  let line = kind === 'law' ? 'areas: ' : 'operations: ';
  for (const [index, name] of operations.entries()) {
    const longer = (index === 0 ? line : `${line}, `) + oneLine(name);
    const left = operations.length - index - 1;
    const end = left === 0 ? '' : ` and ${left} more`;
    if (index > 0 && displayWidth(longer + end) > room) {
      return `${line} and ${left + 1} more`;
    }
    line = longer;
  }
  return line;
}

interface Scope extends Pick<Report['target'], 'level' | 'origin'> {
  /** Whether the contract has origins; one that has none has no levels, either. */
  statesOrigins: boolean;
}

/** Such as `level core`, `all origins`; empty if the contract has neither, and all is tried. */
export function scopeInWords({ level, origin, statesOrigins }: Scope): string[] {
  const words: string[] = [];
  if (statesOrigins || level === 'core') {
    words.push(`level ${level}`);
  }
  if (statesOrigins) {
    words.push(origin === 'all' ? 'all origins' : 'the source document alone');
  }
  return words;
}

/** The level and the origin of a rule, as far as its contract has them. */
export function rankOf({ level, origin }: Pick<RequirementResult, 'level' | 'origin'>): string[] {
  if (origin !== UNSTATED) {
    return [level, oneLine(origin)];
  }
  return [];
}

/** Such as `24 requirements` or `3 responses`. */
export function extentOf(finding: Finding): string {
  const { blocks } = finding;
  const shown = shownIn(finding);
  if (blocks === undefined) {
    return shown;
  }
  return `${shown}, blocks ${inThousands(blocks)}`;
}

/** The evidence of a finding that belongs to no requirement. */
const SHOWN_BY: Partial<Record<Finding['kind'], string>> = {
  contract: 'place',
  stopped: 'request',
};

function shownIn({ requirements, times, kind }: Finding): string {
  if (requirements.length === 0) {
    return count(times, SHOWN_BY[kind] ?? 'response');
  }
  return count(requirements.length, 'requirement');
}

/**
 * Such as `openapi.yaml:785`, which editors and CI logs turn into a link. In a contract of one
 * line, all is in the first one: its pointer, which stands beside it, names the place.
 */
export function clauseLine({ clause }: Pick<RequirementResult, 'clause'>): string {
  const { file, line, pointer } = clause;
  const isOneLine = line === 1 && pointer !== '';
  return oneLine(isOneLine ? file : `${file}:${line}`);
}
