#!/usr/bin/env node
/** The command: options -> target -> run -> reports and exit code. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe } from './check/attempt.ts';
import { type Contract, loadContract } from './contract/load.ts';
import { type KnownFailure, readKnownFailures } from './known-failures.ts';
import { checkKnowledge } from './check-knowledge.ts';
import { HELP, OptionError, type Options, readOptions } from './options.ts';
import { offeredLevel } from './probe.ts';
import { renderHtml } from './report/html.ts';
import { renderJson } from './report/json.ts';
import { renderJunit } from './report/junit.ts';
import { renderMarkdown } from './report/markdown.ts';
import { createProgress } from './report/progress.ts';
import { redactor, redactReport } from './report/redact.ts';
import type { Report } from './report/report.ts';
import { renderSummary } from './report/terminal.ts';
import { replayCommand } from './replay-command.ts';
import { requirementsOf } from './requirements/index.ts';
import { NothingToRun, run, select } from './run.ts';
import { secretsOf } from './secrets.ts';
import { Client } from './target/client.ts';
import { createTarget, type Target } from './target/target.ts';

const EXIT = { conformant: 0, nonconformant: 1, inconclusive: 2 } as const;

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env);
  const contract = loadContract();
  const suite = suiteOf(contract);
  if (options === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (options === 'version') {
    process.stdout.write(`${suite.name} ${suite.version}, contract ${contract.version}\n`);
    return 0;
  }
  checkKnowledge(options, contract);
  if (options.list) return list(options, { contract, level: options.level ?? 'extended', origin: options.origin });
  const prepared = prepare(options, contract);
  const client = clientFor(options);
  try {
    return await judge(options, prepared, await targetFor(options, contract, client), suite);
  } finally {
    client.close();
  }
}

/** What can go wrong before the first request. */
interface Prepared {
  knownFailures: KnownFailure[];
  signal: AbortSignal;
}

function prepare({ knownFailures, report }: Options, contract: Contract): Prepared {
  const ids = () => new Set(requirementsOf(contract).map(({ id }) => id));
  const known = knownFailures === undefined ? [] : readKnownFailures(knownFailures, ids(), new Date());
  try {
    if (report !== undefined) mkdirSync(report, { recursive: true });
  } catch (error) {
    throw new OptionError(`--report ${report} cannot be made: ${(error as Error).message}`);
  }
  return { knownFailures: known, signal: interruption() };
}

/** The first signal ends the run in order, with its clean-up and its reports; a second one at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => controller.abort(`${signal} stopped the run before its end: run it again`));
  }
  return controller.signal;
}

/** Whoever read the output may be gone (`| head`): the run goes on, to clean up behind itself and for its exit code. */
function keepOnWithoutReader(...streams: NodeJS.WriteStream[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') process.exit(EXIT.inconclusive);
    });
  }
}

function clientFor({ url, token, headers, timeoutMs, rate, concurrency }: Options): Client {
  return new Client({
    base: url,
    headers: {
      accept: 'application/json, application/problem+json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    timeoutMs,
    // A case may have several requests under way at once.
    connections: concurrency * 8,
    ...(rate === undefined ? {} : { rate }),
  });
}

async function targetFor(options: Options, contract: Contract, client: Client): Promise<Target> {
  return createTarget({
    contract,
    client,
    level: options.level ?? (await offeredLevel(contract, client)),
    origin: options.origin,
    token: options.token,
    readOnlyToken: options.readOnlyToken,
    knowledge: {
      subscriptionIds: options.subscriptionIds,
      eventTypes: options.eventTypes,
      hostportDomain: options.hostportDomain,
      certificateAuthorityIds: options.certificateAuthorityIds,
    },
    namespace: `conformance-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`,
  });
}

function list(options: Options, target: Pick<Target, 'contract' | 'level' | 'origin'>): number {
  const rows = select(target, options).map(({ requirement }) => describe(requirement, target));
  if (options.format === 'json') {
    process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  } else {
    for (const { id, level, origin, clause, sentence } of rows) {
      process.stdout.write(`${id}\t${level}\t${origin}\topenapi.yaml:${clause.line}\t${sentence}\n`);
    }
  }
  return 0;
}

async function judge(options: Options, prepared: Prepared, target: Target, suite: Report['suite']): Promise<number> {
  const secrets = secretsOf(options);
  const progress = createProgress({
    stream: options.format === 'text' ? process.stdout : process.stderr,
    redact: redactor(secrets),
  });
  const { url, seed, runs, concurrency, bail, only, skip, replay } = options;
  progress.begin(
    `${target.contract.title}, contract ${target.contract.version}\n${url}, level ${target.level}, origin ${target.origin}, seed ${seed}`,
  );
  const found = await run(
    target,
    {
      seed,
      runs,
      concurrency,
      bail,
      only,
      skip,
      replay,
      ...prepared,
      suite,
      replayCommand: (name) => replayCommand(options, name),
    },
    progress,
  );
  progress.end();
  const report = redactReport(found, secrets);
  if (options.report !== undefined) writeReports(options.report, report);
  process.stdout.write(render(options.format, report));
  // In other formats the reason is somewhere within.
  if (report.verdict === 'inconclusive' && options.format !== 'text')
    process.stderr.write(`edge-conformance: ${report.reason}\n`);
  return EXIT[report.verdict];
}

function render(format: Options['format'], report: Report): string {
  switch (format) {
    case 'text':
      return `${renderSummary(report, { colour: process.stdout.isTTY && !process.env['NO_COLOR'] })}\n`;
    case 'json':
      return renderJson(report);
    case 'junit':
      return renderJunit(report);
    case 'markdown':
      return renderMarkdown(report);
    case 'html':
      return renderHtml(report);
  }
}

function writeReports(folder: string, report: Report): void {
  writeFileSync(join(folder, 'report.json'), renderJson(report));
  writeFileSync(join(folder, 'junit.xml'), renderJunit(report));
  writeFileSync(join(folder, 'report.html'), renderHtml(report));
  writeFileSync(join(folder, 'report.md'), renderMarkdown(report));
}

function suiteOf(contract: Contract): Report['suite'] {
  const { name, version } = JSON.parse(
    readFileSync(join(dirname(contract.path), 'package.json'), 'utf8'),
  ) as Report['suite'];
  return { name, version };
}

/** Errors whose message was written for the person who runs the command. */
function isExplained(error: unknown): boolean {
  return error instanceof OptionError || error instanceof NothingToRun;
}

// Whatever ends the process before `main` has a result, it is no success.
process.exitCode = EXIT.inconclusive;
keepOnWithoutReader(process.stdout, process.stderr);
main()
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`edge-conformance: ${isExplained(error) ? message : `unexpected: ${message}`}\n`);
  });
