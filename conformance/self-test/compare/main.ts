#!/usr/bin/env node
/**
 * Compares which planted errors the suite and Schemathesis find in the same time, and what each
 * tool reports on services without an error:
 *
 *     node tools/run.js conformance/self-test/compare/main [--service NAME] [--only ERROR]
 *         [--tool suite|schemathesis] [--level core|extended] [--seconds N] [--seed N]
 *         [--verbose] [--write] [--serve]
 *
 * - `--seconds`: the time of each run; by default 20.
 * - `--verbose`: prints which tool finds each error, and by what.
 * - `--write`: writes the table into docs/maintainers/compare-tools.md.
 * - `--serve`: starts the services with the error of `--only`, or with none, prints their
 *   addresses and waits.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contractOf } from '../planted.ts';
import { type ComparedService, errorsOf, SERVICES } from './services.ts';
import { type Outcome, type Tool, TOOLS } from './tools.ts';

const PAGE = 'docs/maintainers/compare-tools.md';

const { values } = parseArgs({
  options: {
    service: { type: 'string' },
    only: { type: 'string' },
    tool: { type: 'string' },
    level: { type: 'string', default: 'extended' },
    seconds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    serve: { type: 'boolean', default: false },
  },
});

/** The entries with this name; all of them if it is undefined. */
function chosen<T>(all: Readonly<Record<string, T>>, name: string | undefined): [string, T][] {
  return Object.entries(all).filter(([one]) => name === undefined || one === name);
}

/** The errors of a service that are tried. */
function chosenErrors(service: string): string[] {
  return errorsOf(service).filter((one) => values.only === undefined || one === values.only);
}

const print = (line: string) => {
  process.stdout.write(`${line}\n`);
};

/** A service, with the path of its contract. */
interface Subject {
  name: string;
  service: ComparedService;
  contract: string;
}

/** Tries the service with this error, or with none: a new service each time. */
async function attempt(
  { service, contract }: Subject,
  tool: Tool,
  error: string,
  first: boolean,
): Promise<Outcome> {
  const { url, close } = await service.start(error);
  const trial = {
    url,
    contract,
    key: service.key,
    level: values.level,
    first,
    seconds: Number(values.seconds),
    seed: Number(values.seed),
  };
  return tool(trial).finally(close);
}

/**
 * Saves the contract that a service without an error shows. With an error, it may show another one.
 */
async function savedContract(
  { start }: ComparedService,
  contractPath: string,
  folder: string,
): Promise<string> {
  const { url, close } = await start('');
  const path = join(folder, 'openapi.json');
  const response = await fetch(url + contractPath);
  writeFileSync(path, await response.text());
  await close();
  return path;
}

/** The results of one tool on one service. */
interface Figures {
  /** The number of errors that it found. */
  found: number;
  /** The number of failures that it reported of the service without an error. */
  falseAlarms: number;
  /** On the service without an error. */
  requests: number;
  /** On the service without an error. */
  seconds: number;
}

async function measure(subject: Subject, toolName: string, tool: Tool): Promise<Figures> {
  const say = (error: string, result: string) => {
    if (values.verbose) {
      print(`${subject.name}, ${error}, ${toolName}: ${result}`);
    }
  };
  const correct = await attempt(subject, tool, '', false);
  const alarms = linesOf(correct.failures);
  say('no error', [...alarms, correct.trouble ?? `${alarms.length} failures`].join('; '));

  let found = 0;
  for (const error of chosenErrors(subject.name)) {
    // Without false alarms, the first failure is about the error.
    const { failures, trouble = 'nothing' } = await attempt(
      subject,
      tool,
      error,
      alarms.length === 0,
    );
    const fresh = new Map([...failures].filter(([name]) => !correct.failures.has(name)));
    const [line] = linesOf(fresh);
    if (line === undefined) {
      say(error, `MISSED (${trouble})`);
    } else {
      found++;
      say(error, `found by ${fresh.size}: ${line}`);
    }
  }
  const { requests, seconds } = correct;
  return { found, falseAlarms: alarms.length, requests, seconds: Math.round(seconds) };
}

/** A line for each failure. */
function linesOf(failures: ReadonlyMap<string, string>): string[] {
  return [...failures].map(([name, message]) => `${name} ${message}`);
}

type NamedTool = [name: string, tool: Tool];

async function table(
  services: readonly [string, ComparedService][],
  tools: readonly NamedTool[],
  folder: string,
): Promise<string> {
  const toolNames = tools.map(([name]) => name).join(' / ');
  let text = `| service | errors | found by ${toolNames} | false alarms | requests | seconds |\n`;
  text += '|---|---|---|---|---|---|\n';
  for (const [name, service] of services) {
    const { contractPath } = service;
    const contract = contractPath
      ? await savedContract(service, contractPath, folder)
      : contractOf(name);
    text += await row({ name, service, contract }, tools);
  }
  return text;
}

/** The figures of each tool beside one another. */
async function row(subject: Subject, tools: readonly NamedTool[]): Promise<string> {
  const measured: Figures[] = [];
  for (const [toolName, tool] of tools) {
    measured.push(await measure(subject, toolName, tool));
  }
  const beside = (name: keyof Figures) => measured.map((figures) => figures[name]).join(' / ');
  const cells = [
    `${subject.name}: ${subject.service.style}`,
    chosenErrors(subject.name).length,
    beside('found'),
    beside('falseAlarms'),
    beside('requests'),
    beside('seconds'),
  ];
  return `| ${cells.join(' | ')} |\n`;
}

/** The only table of the page. */
const TABLE = /(^\|.*\n)+/m;

const services = chosen(SERVICES, values.service);
const tools = chosen(TOOLS, values.tool);
const hasErrors = services.some(([name]) => chosenErrors(name).length > 0);
if (!hasErrors || tools.length === 0) {
  process.stderr.write(
    'no such service, tool or error: see the folders of conformance/self-test/contracts\n',
  );
  process.exit(2);
}
if (values.serve) {
  for (const [name, { start }] of services) {
    const { url } = await start(values.only ?? '');
    print(`${name}: ${url}`);
  }
} else {
  const folder = mkdtempSync(join(tmpdir(), 'compare-'));
  const made = await table(services, tools, folder).finally(() =>
    rmSync(folder, { recursive: true }),
  );
  print(made);
  if (values.write) {
    writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(TABLE, made));
  }
}
