#!/usr/bin/env node
/** The command: options -> target -> run -> reports and exit code. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe } from './check/attempt.ts';
import { type Contract, loadContract } from './contract/load.ts';
import { readKnownFailures } from './known-failures.ts';
import { type Options, OptionError, HELP, readOptions } from './options.ts';
import { offeredLevel } from './probe.ts';
import { renderHtml } from './report/html.ts';
import { renderJson } from './report/json.ts';
import { renderJunit } from './report/junit.ts';
import { renderMarkdown } from './report/markdown.ts';
import { createProgress } from './report/progress.ts';
import { redactor, redactReport } from './report/redact.ts';
import type { Report } from './report/report.ts';
import { renderSummary } from './report/terminal.ts';
import { NothingToRun, run, select } from './run.ts';
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
  const client = clientFor(options);
  try {
    const target = await targetFor(options, contract, client);
    return options.list ? list(options, target) : await judge(options, target, suite);
  } finally {
    client.close();
  }
}

function clientFor({ url, token, headers, timeoutMs, rate, concurrency }: Options): Client {
  return new Client({
    base: url,
    headers: { accept: 'application/json, application/problem+json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...headers },
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
    level: options.level ?? (options.list ? 'extended' : await offeredLevel(contract, client)),
    origin: options.origin,
    token: options.token,
    knowledge: {
      subscriptionIds: options.subscriptionIds,
      eventTypes: options.eventTypes,
      hostportDomain: options.hostportDomain,
      certificateAuthorityIds: options.certificateAuthorityIds,
    },
    namespace: `conformance-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`,
  });
}

function list(options: Options, target: Target): number {
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

async function judge(options: Options, target: Target, suite: Report['suite']): Promise<number> {
  const secrets = secretsOf(options);
  const knownFailures = options.knownFailures === undefined ? [] : readKnownFailures(options.knownFailures, new Date());
  if (options.report !== undefined) mkdirSync(options.report, { recursive: true });
  const progress = createProgress({ stream: options.format === 'text' ? process.stdout : process.stderr, redact: redactor(secrets) });
  const { url, seed, runs, concurrency, bail, only, skip, replay } = options;
  progress.begin(`${target.contract.title}, contract ${target.contract.version}\n${url}, level ${target.level}, origin ${target.origin}, seed ${seed}`);
  const found = await run(
    target,
    { seed, runs, concurrency, bail, only, skip, replay, knownFailures, suite, replayCommand: (name) => replayCommand(options, name) },
    progress,
  );
  progress.end();
  const report = redactReport(found, secrets);
  if (options.report !== undefined) writeReports(options.report, report);
  process.stdout.write(render(options.format, report));
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

function secretsOf({ token, headers }: Options): string[] {
  // A header that a user adds may be a key; what is no secret loses nothing by being left out of a report.
  // The suite also sends the token without its last character, which is almost the token.
  const spellings = token === undefined ? [] : [token, token.slice(0, -1)];
  return [...spellings, ...Object.values(headers)].filter((secret) => secret !== '');
}

/** Without secrets: they come from the environment. */
function replayCommand(options: Options, name: string): string {
  const flags = [
    ...(options.level === undefined ? [] : ['--level', options.level]),
    ...(options.origin === 'all' ? [] : ['--origin', options.origin]),
    ...options.subscriptionIds.flatMap((id) => ['--subscription-id', id]),
    ...options.eventTypes.flatMap((type) => ['--event-type', type]),
    ...(options.hostportDomain === undefined ? [] : ['--hostport-domain', options.hostportDomain]),
    ...options.certificateAuthorityIds.flatMap((id) => ['--certificate-authority-id', id]),
  ];
  const token = options.token === undefined ? '' : 'CONFORMANCE_TOKEN=… ';
  return `${token}npx edge-conformance ${[options.url, ...flags, '--replay', `'${name}'`].join(' ')}`;
}

function suiteOf(contract: Contract): Report['suite'] {
  const { name, version } = JSON.parse(readFileSync(join(dirname(contract.path), 'package.json'), 'utf8')) as Report['suite'];
  return { name, version };
}

/** Errors whose message was written for the person who runs the command. */
function isExplained(error: unknown): boolean {
  return error instanceof OptionError || error instanceof NothingToRun || (error instanceof Error && error.message.startsWith('--'));
}

main()
  .then((code) => {
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    process.stderr.write(`edge-conformance: ${isExplained(error) ? message : `unexpected: ${message}`}\n`);
    process.exitCode = 2;
  });
