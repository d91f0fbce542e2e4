/** One run of the suite: which requirements, in which order, and what their results come to. */
import type { Contract } from '../contract/load.ts';
import { type Operation, operationsOf, warningsOf } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import { BrokenOff } from '../http/nonconformity.ts';
import type { Requirement } from '../requirements/requirement.ts';
import { wrongExamples } from '../requirements/statuses.ts';
import { surveyOperations } from '../survey/survey.ts';
import { leftOutOperations, matchesGlob } from './left-out.ts';
import { neverSucceeded } from './never-succeeded.ts';
import { reach } from './reach.ts';
import type { Report, RequirementResult } from './result.ts';
import type { Progress, RunOptions } from './run-options.ts';
import { type Outcome, type Stop, tryAll } from './schedule.ts';
import { select, type Selected } from './select.ts';
import { surveyedOperations } from './surveyed.ts';
import { countByStatus, verdictOf, warningsFor } from './verdict.ts';
import { untriedResult } from './worker.ts';

export async function run(
  implementation: Implementation,
  options: RunOptions,
  progress: Progress,
): Promise<Report> {
  const { api } = options;
  const selected = select(implementation, options);
  progress.started(selected.length);
  implementation.halted =
    (await reach(implementation, api)) ?? (await api.survey?.(implementation));
  if (api.isSurveyed && implementation.halted === undefined) {
    await surveyChosen(implementation, options, selected);
    progress.surveyed(surveyedOperations(implementation.survey ?? {}));
  }
  const isChecked = implementation.halted === undefined && !options.survey;
  const tried = isChecked ? selected : [];
  const outcome = await tryAll(tried, implementation, options, progress);
  const requirements = selected.map(({ requirement }) => requirement);
  return reportOf(implementation, options, requirements, outcome);
}

/** Asks the service how the operations are reached whose requirements are tried. */
async function surveyChosen(
  implementation: Implementation,
  { allow, seed }: RunOptions,
  selected: readonly Selected[],
): Promise<void> {
  const { contract } = implementation;
  const leftOut = new Map<string, string>();
  for (const { operationId, reason } of leftOutOperations(contract, allow)) {
    leftOut.set(operationId, reason);
  }
  // What the user skips is not called. What is left out is not called, either, and is listed.
  const isChosen = ({ operationId }: Operation) =>
    selected.some(({ requirement, disabled }) => {
      const isOpen = disabled === undefined || disabled === leftOut.get(operationId);
      return isOpen && requirement.id.startsWith(`${operationId}.`);
    });
  const operations = operationsOf(contract).filter(isChosen);
  try {
    await surveyOperations(implementation, {
      operations,
      seed,
      isAllowed: ({ operationId }) => matchesGlob(allow, operationId),
      whyLeftOut: ({ operationId }) => leftOut.get(operationId),
    });
  } catch (error) {
    if (!(error instanceof BrokenOff)) {
      throw error;
    }
    implementation.halted = error.message;
  }
}

function reportOf(
  implementation: Implementation,
  options: RunOptions,
  requirements: readonly Requirement[],
  outcome: Outcome,
): Report {
  const { seed, runs, suite, startedAt } = options;
  const { client, contract } = implementation;
  const results = resultsOf(implementation, requirements, outcome);
  const reached = neverSucceeded(implementation, results);
  return {
    schema_version: SCHEMA_VERSION,
    ...verdictOf(results, {
      known: options.knownFailures,
      // A replay tries one case: it says nothing about the other operations.
      share: options.replay === undefined ? options.minTried : 0,
      reached,
      halted: implementation.halted,
    }),
    target: targetOf(implementation),
    seed,
    runs,
    contract: { title: contract.title, version: contract.version, sha256: contract.sha256 },
    suite,
    started_at: new Date(startedAt).toISOString(),
    // By a clock that nobody sets back while the process runs.
    duration_ms: Math.round(performance.timeOrigin + performance.now() - startedAt),
    requests: client.sent,
    retries: { ...client.retries },
    warnings: warningsOfRun(implementation, requirements, outcome),
    left_behind: implementation.leftBehind,
    may_have_been_made: implementation.perhapsMade,
    never_succeeded: reached.neverSucceeded,
    ...surveyOf(implementation),
    summary: countByStatus(results),
    requirements: results,
  };
}

function surveyOf({ survey }: Implementation): Pick<Report, 'survey'> {
  return survey === undefined ? {} : { survey: surveyedOperations(survey) };
}

/** The result of each requirement, of those that were not tried as well. */
function resultsOf(
  implementation: Implementation,
  requirements: readonly Requirement[],
  { results, stop }: Outcome,
): RequirementResult[] {
  const { halted } = implementation;
  const why: Stop = halted === undefined ? stop : { status: 'error', reason: halted };
  return requirements.map((one) => results.get(one.id) ?? untriedResult(one, implementation, why));
}

function targetOf({ client, level, origin, token }: Implementation): Report['target'] {
  const url = client.base.href.replace(/\/$/, '');
  return { url, level, origin, authenticated: token !== undefined };
}

function warningsOfRun(
  { client, contract }: Implementation,
  requirements: readonly Requirement[],
  { lookedBack }: Outcome,
): string[] {
  const operations = operationsOf(contract).filter(({ operationId }) =>
    requirements.some(({ id }) => id.startsWith(`${operationId}.`)),
  );
  return [
    ...warningsFor(client.retries),
    ...warningsOf(contract),
    ...annotated(contract),
    ...operations.flatMap((operation) => wrongExamples(contract, operation)),
    ...lookedBack,
  ];
}

/**
 * The version of `report.schema.yaml`: a change that a reader of reports would notice takes the
 * next number.
 */
const SCHEMA_VERSION = 2;

/** A keyword that is misspelt looks like one of a vendor's own. */
function annotated({ annotations }: Contract): string[] {
  const found = [...annotations].map(([keyword, pointer]) => `${keyword} (first at ${pointer})`);
  if (found.length === 0) {
    return [];
  }
  return [`Keywords that nobody knows were taken as annotations: ${found.join(', ')}.`];
}
