/**
 * A run in several jobs, each on a thread of its own with a part of the requirements and test data of its own: to each, the
 * others are other clients of the service. The same cases are tried, and there is one report.
 */
import { Worker } from 'node:worker_threads';
import type { KnownFailure } from './engine/run/known-failures.ts';
import type { Report, RequirementResult } from './engine/run/result.ts';
import { count, isBroken, verdictOf } from './engine/run/verdict.ts';
import type { Io } from './io.ts';
import type { Options } from './options.ts';

export interface Job extends Pick<Io, 'cwd' | 'startedAt'> {
  options: Options;
  suite: Report['suite'];
  /** The file of the contract. */
  path: string;
}

export type Message = { finished: RequirementResult } | { report: Report };

/** @throws what the job throws */
export function startJob(job: Job, { signal }: Io, finished: (result: RequirementResult) => void): Promise<Report> {
  const worker = new Worker(new URL('./job.js', import.meta.url), { workerData: job });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
  const abort = () => worker.postMessage(String(signal.reason));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  return new Promise((resolve, reject) => {
    worker.on('message', (message: Message) => {
      if ('finished' in message) finished(message.finished);
      else resolve(message.report);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('a job ended before its result')));
  });
}

/** One report of all jobs: requirements were dealt out to them in turn. */
export function merged(reports: readonly Report[], known: readonly KnownFailure[]): Report {
  const total = (counts: readonly Record<string, number>[]) => {
    const sums: Record<string, number> = {};
    for (const [name, number] of counts.flatMap((one) => Object.entries(one))) sums[name] = (sums[name] ?? 0) + number;
    return sums;
  };
  const { length } = reports.flatMap(({ requirements }) => requirements);
  const requirements = Array.from(
    { length },
    (_, index) => reports[index % reports.length]!.requirements[Math.floor(index / reports.length)]!,
  );
  // Only a run that ended early has no verdict on what is broken.
  const halted = reports.find((one) => one.verdict === 'inconclusive' && one.requirements.some(isBroken))?.reason;
  const { verdict: _, reason: __, ...first } = reports[0]!;
  return {
    ...verdictOf(requirements, known, halted),
    ...first,
    duration_ms: Math.max(...reports.map(({ duration_ms }) => duration_ms)),
    requests: reports.reduce((sum, { requests }) => sum + requests, 0),
    retries: total(reports.map(({ retries }) => retries)) as Report['retries'],
    warnings: [...new Set(reports.flatMap(({ warnings }) => warnings))],
    left_behind: total(reports.map(({ left_behind }) => left_behind)),
    may_have_been_made: total(reports.map(({ may_have_been_made }) => may_have_been_made)),
    summary: count(requirements),
    requirements,
  };
}
