/**
 * One run of the suite: it reaches the service, has requirements tried, and makes a report of their
 * results.
 */
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf, warningsOf } from '../contract/operations.ts';
import { unusedEntries } from '../findings/accepted.ts';
import { findingsOf, type Other, type SeenInRun } from '../findings/findings.ts';
import type { RecordedExchange } from '../http/exchange.ts';
import type { Implementation } from '../http/implementation.ts';
import { Nonconformity } from '../http/nonconformity.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { wrongExamples } from '../requirements/statuses.ts';
import { notesOn } from './notes.ts';
import { endedBy, endingOf, secondsSince, untriedInWords } from './ending.ts';
import { failureOfRetryAfter, failureOfServerError, ruleOfWaiting } from './failure.ts';
import { neverSucceeded } from './never-succeeded.ts';
import { reach } from './reach.ts';
import type { Report, RequirementResult } from './result.ts';
import type { Progress, RunOptions } from './run-options.ts';
import { type ScheduleOutcome, type Stop, tryAll } from './schedule.ts';
import { Stops } from './stops.ts';
import type { Evidence } from './try-property.ts';
import { select } from './select.ts';
import { isOf, surveyChosen } from './survey-chosen.ts';
import { surveyedOperations } from './surveyed.ts';
import { countByStatus, verdictOf, warningsFor } from './verdict.ts';
import { untriedResult } from './worker.ts';

export async function run(
  implementation: Implementation,
  given: RunOptions,
  progress: Progress,
): Promise<Report> {
  const selected = select(implementation, given);
  progress.started(selected.length);
  const ending = endingOf(given, implementation);
  const options: RunOptions = { ...given, signal: ending.signal };
  const stops = new Stops(implementation, options);
  try {
    const absent = await whyAbsent(implementation, options, stops);
    if (absent !== undefined) {
      implementation.halted ??= absent;
      // Something else than the service may respond.
      implementation.serverErrors.clear();
      implementation.wrongRetryAfters.clear();
    }
    if (implementation.halted === undefined) {
      await surveyChosen(implementation, options, selected, stops);
      progress.surveyed(surveyedOperations(implementation.survey));
    }
    const isChecked = absent === undefined && !options.survey;
    const tried = isChecked ? selected : [];
    const outcome = await tryAll(tried, implementation, options, { progress, stops });
    const requirements = selected.map(({ requirement }) => requirement);
    return reportOf(implementation, options, requirements, { ...outcome, stops });
  } finally {
    ending.clear();
  }
}

/** Why the service cannot be tried at all; undefined if it can. */
async function whyAbsent(
  implementation: Implementation,
  { api, signal }: RunOptions,
  stops: Stops,
): Promise<string | undefined> {
  const absence = await reach(implementation, api);
  if (absence?.hasJustStopped === true) {
    const look = await stops.look();
    if (look.kind === 'gone') {
      implementation.isGone = true;
      stops.noteUnknown(look.suspected ?? implementation.suspects.all);
    }
    return look.kind === 'gone' ? look.reason : undefined;
  }
  if (absence !== undefined || signal.aborted) {
    return absence?.reason;
  }
  return api.lookAhead?.(implementation);
}

/** What has come of a run. */
interface Ended extends ScheduleOutcome {
  stops: Stops;
}

function reportOf(
  implementation: Implementation,
  options: RunOptions,
  requirements: readonly Requirement[],
  outcome: Ended,
): Report {
  const { seed, runs, suite, startedAt, signal } = options;
  const { client, contract, halted } = implementation;
  const results = resultsOf(implementation, requirements, outcome);
  const reached = neverSucceeded(implementation, results);
  const findings = findingsOf(
    seenIn(implementation, options, requirements, { results, stops: outcome.stops }),
  );
  return {
    schema_version: SCHEMA_VERSION,
    ...verdictOf(results, {
      known: options.knownFailures,
      findings,
      // A replay tries one case: it says nothing about the other operations.
      share: options.replay === undefined ? options.minTried : 0,
      reached,
      halted: endedBy(signal) === undefined ? halted : undefined,
      endedBy: endedBy(signal),
    }),
    target: targetOf(implementation),
    seed,
    runs,
    contract: { title: contract.title, version: contract.version, sha256: contract.sha256 },
    suite,
    started_at: new Date(startedAt).toISOString(),
    duration_ms: Math.round(secondsSince(startedAt) * 1000),
    requests: client.sent,
    retries: { ...client.retries },
    warnings: [
      ...untriedWarnings(results, outcome, signal),
      ...stopWarnings(implementation, outcome.stops),
      ...unusedEntries(options.accept, findings),
      ...warningsOfRun(implementation, requirements, outcome),
    ],
    left_behind: implementation.leftBehind,
    may_have_been_made: implementation.perhapsMade,
    never_succeeded: reached.neverSucceeded,
    ...surveyOf(implementation),
    findings,
    summary: countByStatus(results),
    requirements: results,
  };
}

function surveyOf({ survey }: Implementation): Pick<Report, 'survey'> {
  const surveyed = surveyedOperations(survey);
  return surveyed.length === 0 ? {} : { survey: surveyed };
}

/** All errors that the run has seen. */
function seenIn(
  implementation: Implementation,
  options: RunOptions,
  requirements: readonly Requirement[],
  { results, stops }: { results: readonly RequirementResult[]; stops: Stops },
): SeenInRun {
  const { contract, serverErrors, wrongRetryAfters } = implementation;
  const { accept, kinds, script } = options;
  const curlFor = (sentence: string, exchanges: RecordedExchange[]): string => {
    const error = new Nonconformity(sentence, { expected: '', got: '' });
    const evidence: Evidence = { error, exchanges, removals: [] };
    return script(sentence, evidence, implementation);
  };
  const others = serverErrors.all.map((error): Other => {
    const curl = curlFor(`${error.operation} responds ${error.status}.`, error.exchanges);
    return { failure: failureOfServerError(error, contract, curl), times: error.times };
  });
  for (const wrong of wrongRetryAfters.all) {
    const curl = curlFor(ruleOfWaiting(wrong), [wrong.exchange]);
    others.push({ failure: failureOfRetryAfter(wrong, curl), times: wrong.times });
  }
  others.push(...stops.all);
  const notes = notesOn(contract, operationsTried(contract, requirements));
  return { results, others, notes, accept, kinds };
}

function stopWarnings({ isGone, halted }: Implementation, stops: Stops): string[] {
  const { count, all } = stops;
  const warnings: string[] = [];
  if (count > 0) {
    warnings.push(`The service stopped ${inTimes(count)}, and was brought back.`);
  }
  if (isGone === true && halted !== undefined) {
    const isUnknown = all.some(({ notes = [] }) => notes.length > 0);
    const advice = ' --restart COMMAND finds out which request it is, and goes on.';
    warnings.push(halted + (isUnknown ? advice : ''));
  }
  return warnings;
}

const inTimes = (count: number): string => (count === 1 ? 'once' : `${count} times`);

function untriedWarnings(
  results: readonly RequirementResult[],
  outcome: ScheduleOutcome,
  signal: AbortSignal,
): string[] {
  const untried = results.filter(({ id }) => !outcome.results.has(id));
  const sentence = untriedInWords(results, untried, signal);
  return sentence === undefined ? [] : [sentence];
}

/** The result of each requirement, also of those that were not tried. */
function resultsOf(
  implementation: Implementation,
  requirements: readonly Requirement[],
  { results, stop }: ScheduleOutcome,
): RequirementResult[] {
  const { halted } = implementation;
  const why: Stop = stop ?? { status: 'error', reason: halted ?? 'not tried' };
  return requirements.map((one) => results.get(one.id) ?? untriedResult(one, implementation, why));
}

function targetOf({ client, level, origin, token }: Implementation): Report['target'] {
  const url = client.base.href.replace(/\/$/, '');
  return { url, level, origin, authenticated: token !== undefined };
}

function warningsOfRun(
  { client, contract }: Implementation,
  requirements: readonly Requirement[],
  { lookedBack }: ScheduleOutcome,
): string[] {
  return [
    ...warningsFor(client.retries),
    ...warningsOf(contract),
    ...annotated(contract),
    ...operationsTried(contract, requirements).flatMap((one) => wrongExamples(contract, one)),
    ...lookedBack,
  ];
}

function operationsTried(contract: Contract, requirements: readonly Requirement[]): Operation[] {
  return operationsOf(contract).filter((operation) =>
    requirements.some((one) => isOf(one, operation)),
  );
}

/**
 * The version of `report.schema.yaml`: a change that a reader of reports would notice takes the
 * next number.
 */
const SCHEMA_VERSION = 2;

/** A misspelt keyword looks like the keyword of a vendor. */
function annotated({ annotations }: Contract): string[] {
  const found = [...annotations].map(([keyword, pointer]) => `${keyword} (first at ${pointer})`);
  if (found.length === 0) {
    return [];
  }
  return [`Keywords that nobody knows were taken as annotations: ${found.join(', ')}.`];
}
