/**
 * Whether a run of Schemathesis passed, by its own reports. What was not tried has not passed: each check and each phase
 * must have seen cases, and each operation must have succeeded at least once, because a server that refuses everybody
 * keeps the contract, too.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** All that this version has. A further one that it reports counts, too. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'positive_data_acceptance',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'use_after_free',
  'ensure_resource_availability',
  'ignored_auth',
  'object_level_authorization',
];
const PHASES = ['examples', 'coverage', 'fuzzing', 'stateful'];
/** Reported, and without a limit to compare with. */
const WITHOUT_LIMIT = 'max_response_time';

export interface Result {
  /** How many cases each check and each phase saw. */
  cases: Map<string, number>;
  /** Why the run did not pass; none where it did. */
  problems: string[];
  /** What it could not make use of, such as a pattern. */
  warnings: string[];
}

interface Summary {
  complete: boolean;
  operations: { tested: number };
  test_cases: { with_failures: number };
  errors: unknown[];
  warnings: Record<string, unknown[]>;
  /** Of each operation and phase, the responses to right data. One that returned 401 to everything is not in the list. */
  valid_rates: Record<string, Record<string, { accepted: number }>>;
}

interface Scenario {
  phase: string;
  recorder: { checks?: Record<string, { name: string; status: string }[]> };
}

/**
 * @param operations how many the contract has
 * @throws Error when a report is missing or cannot be read
 */
export async function readResult(files: { events: string; summary: string }, operations: number): Promise<Result> {
  const summary = JSON.parse(await readFile(files.summary, 'utf8')) as Summary;
  const cases = new Map([...CHECKS, ...PHASES.map((phase) => `phase ${phase}`)].map((name) => [name, 0]));
  const failures = new Map<string, number>();
  const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
  // The file is too long for one text.
  for await (const line of createInterface({ input: createReadStream(files.events), crlfDelay: Infinity })) {
    if (!line.startsWith('{"ScenarioFinished"')) continue;
    const { phase, recorder } = (JSON.parse(line) as { ScenarioFinished: Scenario }).ScenarioFinished;
    for (const checks of Object.values(recorder.checks ?? {})) {
      count(cases, `phase ${phase}`);
      for (const { name, status } of checks) {
        if (name === WITHOUT_LIMIT) continue;
        count(cases, name);
        if (status !== 'success') count(failures, name);
      }
    }
  }
  const served = Object.values(summary.valid_rates).filter((phases) =>
    Object.values(phases).some(({ accepted }) => accepted > 0),
  ).length;
  const problems = [
    ...[...failures].map(([name, failed]) => `${name} failed in ${failed} cases`),
    ...[...cases].filter(([, seen]) => seen === 0).map(([name]) => `${name} saw no case`),
    ...summary.errors.map((error) => JSON.stringify(error)),
  ];
  if (!summary.complete) problems.push('it did not go through all that it had planned');
  if (summary.operations.tested !== operations)
    problems.push(`it tested ${summary.operations.tested} of ${operations} operations`);
  if (served !== operations) problems.push(`${served} of ${operations} operations succeeded at least once`);
  if (summary.test_cases.with_failures > 0 && failures.size === 0)
    problems.push(`it reports ${summary.test_cases.with_failures} failed cases that its events do not have`);
  const warnings = Object.entries(summary.warnings).flatMap(([name, where]) =>
    where.length > 0 ? [`${name}: ${where.map(String).join(', ')}`] : [],
  );
  return { cases, problems, warnings };
}
