/**
 * From counts to a verdict. What was not tried has not passed: each check and each phase must have seen cases, and each
 * operation must have been tested, and have done what was asked at least once: a server that refuses everybody keeps the
 * contract, too.
 */
import { columns } from '../../../tools/columns.ts';
import type { Count, Report } from './report.ts';

/** All that this version has. A further one that it reports is judged, too. */
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
/** Reported, and without a limit to hold answers to. */
const WITHOUT_LIMIT = new Set(['max_response_time']);

export interface Line {
  name: string;
  count: Count;
  passed: boolean;
}

export interface Verdict {
  lines: Line[];
  /** Why the run as a whole does not count; none where it does. */
  faults: string[];
}

/** @param operations how many the contract has */
export function verdictOf(report: Report, operations: number): Verdict {
  const nothing: Count = { cases: 0, failures: 0 };
  const line = (name: string, count: Count = nothing): Line => ({
    name,
    count,
    passed: count.cases > 0 && count.failures === 0,
  });
  const further = [...report.checks.keys()].filter((name) => !CHECKS.includes(name) && !WITHOUT_LIMIT.has(name));
  const lines = [
    ...[...CHECKS, ...further].map((name) => line(name, report.checks.get(name))),
    ...PHASES.map((name) => line(`phase ${name}`, report.phases.get(name))),
  ];
  const faults = [...report.errors];
  if (!report.complete) faults.push('it did not go through all that it had planned');
  if (report.operations.tested !== operations)
    faults.push(`it tested ${report.operations.tested} of ${operations} operations`);
  if (report.served !== operations)
    faults.push(
      `${report.served} of ${operations} operations did what they were asked to, the others refused everything`,
    );
  if (report.failedCases > 0 && lines.every(({ count }) => count.failures === 0))
    faults.push(`it tells ${report.failedCases} failed cases that its events do not have`);
  return { lines, faults };
}

/** A column for each seed, with the cases that each check saw, and how many of them failed. */
export function table(seeds: readonly number[], verdicts: readonly Verdict[]): string {
  const cell = ({ count, passed }: Line) =>
    `${count.cases}${count.failures > 0 ? `, ${count.failures} FAILED` : passed ? '' : ' NOT TRIED'}`;
  const names = verdicts[0]?.lines.map(({ name }) => name) ?? [];
  const rows = names.map((name) => [
    name,
    ...verdicts.map(({ lines }) =>
      cell(lines.find((one) => one.name === name) ?? { name, count: { cases: 0, failures: 0 }, passed: false }),
    ),
  ]);
  return columns(
    [['check', ...seeds.map((seed) => `seed ${seed}`)], ...rows],
    seeds.map((_, index) => index + 1),
  );
}

/** Each check and each phase counts once for each run, and so does the run as a whole. */
export function tally(verdicts: readonly Verdict[]): { passed: number; failed: number } {
  const results = verdicts.flatMap(({ lines, faults }) => [...lines.map(({ passed }) => passed), faults.length === 0]);
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed };
}
