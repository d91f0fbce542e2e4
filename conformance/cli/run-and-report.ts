/**
 * A run as the user asked for it: from options to an implementation, a run, reports and an exit
 * code.
 */
import { mkdirSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Contract } from '../engine/contract/load.ts';
import type { Client } from '../engine/http/client.ts';
import { type Output, ProgressView } from '../engine/report/progress.ts';
import { type Redact, redacted, redactor } from '../engine/report/redact.ts';
import { surveyText } from '../engine/report/survey-words.ts';
import { scopeInWords } from '../engine/report/words.ts';
import { EXIT_CODES, renderSummary } from '../engine/report/terminal.ts';
import { type KnownFailure, readKnownFailures, usable } from '../engine/run/known-failures.ts';
import type { Report } from '../engine/run/result.ts';
import { offeredLevel } from '../engine/run/reach.ts';
import type { RunOptions } from '../engine/run/run-options.ts';
import { run } from '../engine/run/run.ts';
import { allIds } from '../engine/run/select.ts';
import { apiFor } from './choose-api.ts';
import type { ChosenApi } from './chosen-api.ts';
import { clientsFor, reachable, type Sent, waitForService } from './clients.ts';
import { credentialsFor } from './credentials.ts';
import type { Io } from './io.ts';
import { startWorkers } from './jobs.ts';
import type { Options } from './options.ts';
import { renderReport, writeReports } from './report-files.ts';
import { bringingBack } from './restart.ts';
import { secretsOf } from './secrets.ts';
import { implementationFor, settingsFor } from './settings.ts';

/** @throws OptionError for options that cannot be used, before anything is sent */
export async function runAndReport(
  options: Options,
  contract: Contract,
  suite: Report['suite'],
  io: Io,
): Promise<0 | 1 | 2> {
  const chosen = await apiFor(contract, options, io.cwd);
  const settings = settingsFor(options, contract, chosen);
  const knownFailures = knownFailuresFor(options, contract, chosen, io.cwd);
  // Made before the run, so that no run is lost if it cannot be made.
  const folder = makeReportFolder(options, io.cwd);
  const clientAt = clientsFor(options, contract, chosen, io.cwd);
  await waitForService(clientAt(options.url, { headers: {} }), options, io.signal);
  const sent = await credentialsFor(contract, options, chosen.credentials);
  const fetched = sent.tokens.map(({ token }) => token.value);
  const secrets = secretsOf(options, [...Object.values(options.auth), ...fetched]);
  const onToken = (token: string) => secrets.push(token);
  const progress = progressFor(options, redactor(secrets), io);
  const { signal, startedAt, cwd } = io;
  const setup: Setup = {
    options,
    cwd,
    contract,
    chosen,
    clients: chosen.basesOf(options.url).map((base) => clientAt(base, sent, onToken)),
    sent,
  };
  const bringBack = bringingBack(options, cwd, () => clientAt(options.url, { headers: {} }));
  const runOptions = { ...settings, knownFailures, suite, signal, startedAt, bringBack };
  const found = await tryService(setup, runOptions, progress);
  // With the tokens that were fetched again during the run.
  const report = redacted(found, redactor(secrets));
  const page = folder === undefined ? undefined : writeReports(report, folder);
  if (options.survey && report.survey !== undefined) {
    printSurvey(report.survey, options, io);
    return 0;
  }
  print(report, options, io, page && shownPath(page, cwd));
  return EXIT_CODES[report.verdict];
}

/** The output on stdout must be the report alone, unless it is a text for people. */
function progressFor({ format, verbose }: Options, redact: Redact, io: Io): ProgressView {
  const output = format === 'text' ? io.stdout : io.stderr;
  return new ProgressView(output, { colour: hasColour(output, io), redact, verbose });
}

function knownFailuresFor(
  { knownFailures }: Options,
  contract: Contract,
  { api }: ChosenApi,
  cwd: string,
): KnownFailure[] {
  if (knownFailures === undefined) {
    return [];
  }
  return readKnownFailures(knownFailures, allIds(contract, api), cwd);
}

/** @returns its path; undefined without `--report` */
function makeReportFolder({ report }: Options, cwd: string): string | undefined {
  if (report === undefined) {
    return undefined;
  }
  const folder = resolve(cwd, report);
  usable(`--report ${report} cannot be made`, () => makeFolder(folder));
  return folder;
}

/**
 * Makes a folder with those above it. `mkdirSync` with `recursive` never ends in a folder that
 * takes no others, such as /proc.
 */
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return;
  }
  const above = dirname(path);
  if (above !== path) {
    makeFolder(above);
  }
  mkdirSync(path);
}

/** The connection to the service under test. */
interface Setup {
  options: Options;
  cwd: string;
  contract: Contract;
  chosen: ChosenApi;
  /** One for each base URL, the likeliest first. */
  clients: readonly Client[];
  sent: Sent;
}

/** Runs the suite, and closes the clients. */
async function tryService(
  { options, cwd, contract, chosen, clients, sent }: Setup,
  runOptions: Omit<RunOptions, 'others'>,
  progress: ProgressView,
): Promise<Report> {
  try {
    progress.begin(`${contract.title}, contract ${contract.version}`);
    const client = await reachable(contract, clients);
    const { level = await offeredLevel(contract, client), origin, seed, url } = options;
    const implementation = implementationFor(chosen, options, { contract, client, level });
    const scope = scopeInWords({ level, origin, statesOrigins: contract.statesOrigins });
    progress.about([url, ...scope, `seed ${seed}`].join(', '));
    const job = { options, cwd, base: client.base.href, sent, level };
    const others = () => startWorkers(job, implementation);
    const report = await run(implementation, { ...runOptions, others }, progress);
    progress.end();
    return report;
  } finally {
    for (const client of clients) {
      client.close();
    }
  }
}

/** The survey alone, as text or JSON. */
function printSurvey(survey: NonNullable<Report['survey']>, { format }: Options, io: Io): void {
  const text = format === 'json' ? `${JSON.stringify(survey, null, 2)}\n` : surveyText(survey);
  io.stdout.write(text);
}

/** Columns of an output that does not know its size. */
const USUAL_WIDTH = 100;

/** Relative to the current folder, if it is below it. */
function shownPath(path: string, cwd: string): string {
  const below = relative(cwd, path);
  return below.startsWith('..') ? path : below;
}

/** @param page the path of the page that was written */
function print(report: Report, { format }: Options, io: Io, page: string | undefined): void {
  if (format === 'text') {
    const width = io.stdout.columns || USUAL_WIDTH;
    const summary = renderSummary(report, { colour: hasColour(io.stdout, io), width }, page);
    io.stdout.write(`${summary}\n`);
    return;
  }
  io.stdout.write(renderReport(report, format));
  if (page !== undefined) {
    io.stderr.write(`edge-conformance: the page is ${page}\n`);
  }
  if (EXIT_CODES[report.verdict] === 2) {
    // These formats do not show the reason at their end.
    io.stderr.write(`edge-conformance: ${report.reason}\n`);
  }
}

function hasColour({ isTTY }: Output, { env }: Io): boolean {
  return Boolean(isTTY) && !env['NO_COLOR'];
}
