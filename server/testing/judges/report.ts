/** What a run of Schemathesis did, counted in its own reports. */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';

export interface Count {
  cases: number;
  failures: number;
}

export interface Report {
  checks: Map<string, Count>;
  /** Cases and failed checks of each phase. */
  phases: Map<string, Count>;
  operations: { total: number; tested: number };
  /** It went through all that it had planned. */
  complete: boolean;
  /** How many operations did at least once what they were asked to. */
  served: number;
  /** What kept it from testing. */
  errors: string[];
  /** How many cases failed by its own count: then the checks above must have failures, too. */
  failedCases: number;
  /** What it could not make use of, such as a pattern. */
  warnings: string[];
}

interface Summary {
  complete: boolean;
  operations: { total: number; tested: number };
  test_cases: { with_failures: number };
  errors: unknown[];
  warnings: Record<string, unknown[]>;
  /** Of each operation and phase, how the requests with right data were answered. */
  valid_rates: Record<string, Record<string, { accepted: number }>>;
}

interface Scenario {
  phase: string;
  recorder: {
    cases?: Record<string, unknown>;
    checks?: Record<string, { name: string; status: string }[]>;
  };
}

/** @throws Error when a report is missing or cannot be read */
export async function readReport(events: string, summary: string): Promise<Report> {
  const {
    complete,
    operations,
    errors,
    warnings,
    test_cases: cases,
    valid_rates: rates,
  } = JSON.parse(await readFile(summary, 'utf8')) as Summary;
  const report: Report = {
    checks: new Map(),
    phases: new Map(),
    operations,
    complete,
    // An operation that answered 401 to everything is not in the list at all.
    served: Object.values(rates).filter((phases) => Object.values(phases).some(({ accepted }) => accepted > 0)).length,
    errors: errors.map((error) => JSON.stringify(error)),
    failedCases: cases.with_failures,
    warnings: Object.entries(warnings).flatMap(([name, where]) =>
      where.length > 0 ? [`${name}: ${where.map(String).join(', ')}`] : [],
    ),
  };
  // The file is too long for one text.
  for await (const line of createInterface({ input: createReadStream(events), crlfDelay: Infinity })) {
    if (line.startsWith('{"ScenarioFinished"'))
      add(report, (JSON.parse(line) as { ScenarioFinished: Scenario }).ScenarioFinished);
  }
  return report;
}

function add(report: Report, { phase, recorder }: Scenario): void {
  const inPhase = countIn(report.phases, phase);
  // A case that got no answer was judged by no check.
  inPhase.cases += Object.keys(recorder.checks ?? {}).length;
  for (const { name, status } of Object.values(recorder.checks ?? {}).flat()) {
    const count = countIn(report.checks, name);
    count.cases += 1;
    if (status === 'success') continue;
    count.failures += 1;
    inPhase.failures += 1;
  }
}

function countIn(counts: Map<string, Count>, name: string): Count {
  let count = counts.get(name);
  if (!count) counts.set(name, (count = { cases: 0, failures: 0 }));
  return count;
}
