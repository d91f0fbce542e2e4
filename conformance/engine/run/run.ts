/** One run of the suite: which requirements, in which order, and what their results come to. */
import type { Contract } from '../contract/load.ts';
import { operationsOf, warningsOf } from '../contract/operations.ts';
import type { Implementation } from '../http/implementation.ts';
import { wrongExamples } from '../requirements/statuses.ts';
import { neverSucceeded } from './never-succeeded.ts';
import { reach } from './reach.ts';
import type { Report } from './result.ts';
import type { Progress, RunOptions } from './run-options.ts';
import { type Stop, tryAll } from './schedule.ts';
import { select } from './select.ts';
import { count, verdictOf, warningsFor } from './verdict.ts';
import { untried } from './worker.ts';

export async function run(
  implementation: Implementation,
  options: RunOptions,
  progress: Progress,
): Promise<Report> {
  const { api, seed, runs, suite, knownFailures, startedAt } = options;
  const { client, contract, level, origin, token } = implementation;
  const selected = select(implementation, options);
  progress.started(selected.length);
  implementation.halted =
    (await reach(implementation, api)) ?? (await api.survey?.(implementation));
  const tried = implementation.halted === undefined ? selected : [];
  const { results, stop, lookedBack } = await tryAll(tried, implementation, options, progress);

  const all = selected.map(({ requirement }) => requirement);
  const examples = operationsOf(contract)
    .filter(({ operationId }) => all.some(({ id }) => id.startsWith(`${operationId}.`)))
    .flatMap((operation) => wrongExamples(contract, operation));
  const { halted } = implementation;
  const rest: Stop = halted === undefined ? stop : { status: 'error', reason: halted };
  const requirements = all.map((one) => results.get(one.id) ?? untried(one, implementation, rest));
  const reached = neverSucceeded(implementation, requirements);
  const share = options.replay === undefined ? options.minTried : 0;
  return {
    schema_version: SCHEMA_VERSION,
    ...verdictOf(requirements, { known: knownFailures, share, reached, halted }),
    target: {
      url: client.base.href.replace(/\/$/, ''),
      level,
      origin,
      authenticated: token !== undefined,
    },
    seed,
    runs,
    contract: { title: contract.title, version: contract.version, sha256: contract.sha256 },
    suite,
    started_at: new Date(startedAt).toISOString(),
    // By a clock that nobody sets back while the process runs.
    duration_ms: Math.round(performance.timeOrigin + performance.now() - startedAt),
    requests: client.sent,
    retries: { ...client.retries },
    warnings: [
      ...warningsFor(client.retries),
      ...warningsOf(contract),
      ...annotated(contract),
      ...examples,
      ...lookedBack,
    ],
    left_behind: implementation.leftBehind,
    may_have_been_made: implementation.perhapsMade,
    never_succeeded: reached.neverSucceeded,
    summary: count(requirements),
    requirements,
  };
}

/** Of `report.schema.yaml`: a change that a reader of reports would notice takes the next number. */
const SCHEMA_VERSION = 2;

/** A keyword that is misspelt looks like one of a vendor's own. */
function annotated({ annotations }: Contract): string[] {
  const found = [...annotations].map(([keyword, pointer]) => `${keyword} (first at ${pointer})`);
  if (found.length === 0) {
    return [];
  }
  return [`Keywords that nobody knows were taken as annotations: ${found.join(', ')}.`];
}
