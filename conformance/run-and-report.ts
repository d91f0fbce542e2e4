/** A run as the user asked for it: options -> jobs -> reports and exit code. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apiFor } from './choose-api.ts';
import type { Contract } from './engine/contract/load.ts';
import { renderHtml } from './engine/report/html.ts';
import { renderJunit } from './engine/report/junit.ts';
import { renderMarkdown } from './engine/report/markdown.ts';
import { createProgress } from './engine/report/progress.ts';
import { redacted, redactor } from './engine/report/redact.ts';
import { EXIT_CODES, renderSummary } from './engine/report/terminal.ts';
import { type KnownFailure, readKnownFailures } from './engine/run/known-failures.ts';
import type { Level, Report, RequirementResult } from './engine/run/result.ts';
import { allIds } from './engine/run/run.ts';
import { type Env, hasColour, type Io } from './io.ts';
import { mergedReport, startJob } from './jobs.ts';
import { type Format, OptionError, type Options } from './options.ts';
import { type Outcome, runPart } from './run-part.ts';
import { secretsOf } from './secrets.ts';

export interface Surroundings {
  contract: Contract;
  suite: Report['suite'];
  env: Env;
  io: Io;
}

/** @throws OptionError for options that cannot be used, before anything is sent */
export async function runAndReport(options: Options, surroundings: Surroundings): Promise<0 | 1 | 2> {
  const { contract, env, io } = surroundings;
  const { api } = apiFor(contract, options);
  const known = options.knownFailures;
  const ids = () => allIds(contract, api);
  const knownFailures = known === undefined ? [] : readKnownFailures(known, ids(), new Date(), io.cwd);
  const folder = options.report === undefined ? undefined : reportFolder(options.report, io.cwd);

  const redact = redactor(secretsOf(options));
  const progressTo = options.format === 'text' ? io.stdout : io.stderr;
  const { verbose } = options;
  const progress = createProgress({ to: progressTo, colour: hasColour(progressTo, env), redact, verbose });
  progress.begin(`${contract.title}, contract ${contract.version}`);
  const report = redacted(await runAll(options, surroundings, knownFailures, progress), redact);

  if (folder !== undefined)
    for (const { file, render } of Object.values(FILES)) writeFileSync(join(folder, file), render(report));
  const terminal = { colour: hasColour(io.stdout, env), width: io.stdout.columns ?? 100 };
  io.stdout.write(
    options.format === 'text' ? `${renderSummary(report, terminal)}\n` : FILES[options.format].render(report),
  );
  // Other formats have the reason somewhere within.
  if (report.verdict === 'inconclusive' && options.format !== 'text')
    io.stderr.write(`edge-conformance: ${report.reason}\n`);
  return EXIT_CODES[report.verdict];
}

/** @throws OptionError for test data that jobs cannot share */
async function runAll(
  options: Options,
  { contract, suite, io: { signal, startedAt } }: Surroundings,
  knownFailures: KnownFailure[],
  progress: ReturnType<typeof createProgress>,
): Promise<Report> {
  const { bail, replay, rate, concurrency, subscriptionIds } = options;
  if (options.jobs > 1 && subscriptionIds.length > 0)
    throw new OptionError('--jobs needs subscriptions of its own for each job: leave out --subscription-id or --jobs');
  // The first failure ends the run, and a case is one case.
  const of = bail || replay !== undefined ? 1 : options.jobs;
  const shared = {
    ...options,
    concurrency: Math.ceil(concurrency / of),
    rate: rate === undefined ? undefined : rate / of,
  };
  let done = 0;
  const finished = (result: RequirementResult) => progress.finished(result, ++done);
  let others: Promise<Outcome>[] = [];
  const given = { suite, startedAt, knownFailures };
  const about = (level: Level) => {
    progress.about(`${options.url}, level ${level}, origin ${options.origin}, seed ${options.seed}`);
    const parts = Array.from({ length: of - 1 }, (_, index) => ({ index: index + 1, of }));
    const jobs = parts.map((part) => ({ ...given, options: shared, part, level, path: contract.path }));
    others = jobs.map((job) => startJob(job, signal, finished));
    // Whoever waits for them sees it; until then it is no crash.
    for (const other of others) other.catch(() => undefined);
  };
  const own = await runPart(shared, { ...given, contract, signal, about }, { ...progress, finished }, { index: 0, of });
  const outcomes = [own, ...(await Promise.all(others))];
  progress.end();
  return of === 1 ? own.report : mergedReport(outcomes, knownFailures);
}

/** Made before the run, so that no run is lost where it cannot be made. */
function reportFolder(report: string, cwd: string): string {
  const folder = resolve(cwd, report);
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new OptionError(`--report ${report} cannot be made: ${(error as Error).message}`);
  }
  return folder;
}

/** The reports that `--report` writes. */
const FILES: Record<Exclude<Format, 'text'>, { file: string; render: (report: Report) => string }> = {
  json: { file: 'report.json', render: (report) => `${JSON.stringify(report, null, 2)}\n` },
  junit: { file: 'junit.xml', render: renderJunit },
  html: { file: 'report.html', render: renderHtml },
  markdown: { file: 'report.md', render: renderMarkdown },
};
