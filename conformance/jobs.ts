/**
 * A run in several jobs, each on a thread of its own with a part of the requirements and test data of its own: to each, the
 * others are other clients of the service. The same cases are tried, and there is one report.
 */
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Report, RequirementResult } from './engine/run/result.ts';
import { count, verdictOf } from './engine/run/verdict.ts';
import type { KnownFailure } from './engine/run/known-failures.ts';
import type { Options } from './options.ts';
import type { Part } from './engine/run/run.ts';
import type { Given, Outcome } from './run-part.ts';

/** Everything that a job needs to know. */
export interface Job extends Pick<Given, 'suite' | 'startedAt' | 'knownFailures' | 'level'> {
  options: Options;
  /** The file of the contract. */
  path: string;
  part: Part;
}

type Message = { finished: RequirementResult } | { outcome: Outcome };

/** @throws what a job throws */
export function startJob(
  job: Job,
  signal: AbortSignal,
  finished: (result: RequirementResult) => void,
): Promise<Outcome> {
  const worker = new Worker(new URL(import.meta.url), { workerData: job });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
  const abort = () => worker.postMessage(String(signal.reason));
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  return new Promise<Outcome>((resolve, reject) => {
    worker.on('message', (message: Message) => {
      if ('finished' in message) finished(message.finished);
      else resolve(message.outcome);
    });
    worker.on('error', reject);
    worker.on('exit', () => reject(new Error('a job ended before its result')));
  }).finally(() => signal.removeEventListener('abort', abort));
}

/** The report of all jobs: requirements in the order of the contract, which were dealt out in turn. */
export function mergedReport(outcomes: readonly Outcome[], known: readonly KnownFailure[]): Report {
  const [{ report: first }] = outcomes as [Outcome];
  const reports = outcomes.map(({ report }) => report);
  const sum = <T extends Record<string, number>>(of: (report: Report) => T): T => {
    const entries = reports.flatMap((report) => Object.entries(of(report)));
    const total = ([name]: [string, number]) => entries.reduce((all, [one, n]) => all + (one === name ? n : 0), 0);
    return Object.fromEntries(entries.map((one) => [one[0], total(one)])) as T;
  };
  const all = reports.reduce((total, { requirements }) => total + requirements.length, 0);
  const requirements = Array.from(
    { length: all },
    (_, index) => reports[index % reports.length]!.requirements[Math.floor(index / reports.length)]!,
  );
  const halted = outcomes.find((one) => one.halted !== undefined)?.halted;
  const { verdict: _, reason: __, ...rest } = first;
  return {
    ...verdictOf(requirements, known, halted),
    ...rest,
    duration_ms: Math.max(...reports.map(({ duration_ms }) => duration_ms)),
    requests: sum(({ requests }) => ({ requests })).requests,
    retries: sum(({ retries }) => retries),
    warnings: [...new Set(reports.flatMap(({ warnings }) => warnings))],
    left_behind: sum(({ left_behind }) => left_behind),
    may_have_been_made: sum(({ may_have_been_made }) => may_have_been_made),
    summary: count(requirements),
    requirements,
  };
}

/** A job that this thread was started for. */
async function work({ options, path, part, ...given }: Job): Promise<void> {
  const controller = new AbortController();
  parentPort!.on('message', (reason: string) => controller.abort(reason));
  const { loadContract } = await import('./engine/contract/load.ts');
  const { runPart } = await import('./run-part.ts');
  const contract = loadContract(path);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, and no window
  const post = (message: Message) => parentPort!.postMessage(message);
  const progress = { finished: (finished: RequirementResult) => post({ finished }) };
  post({ outcome: await runPart(options, { ...given, contract, signal: controller.signal }, progress, part) });
  parentPort!.close();
}

if (!isMainThread && (workerData as Partial<Job> | null)?.part) void work(workerData as Job);
