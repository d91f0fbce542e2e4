#!/usr/bin/env node
/**
 * Tries services that nobody here wrote with the suite of this checkout and with Schemathesis, and
 * prints a row of figures for each:
 *
 *     node tools/run.js tools/real-services/main NAME...|all
 *         [--tool suite|schemathesis] [--seconds N] [--seed N] [--write] [--check]
 *     node tools/run.js tools/real-services/main NAME --keep [--port N]
 *
 * - `--seconds`: the time of each run at most; by default 120.
 * - `--write`: writes the rows into docs/maintainers/real-services.md.
 * - `--check`: fails if the suite harms something, or reaches fewer operations than that page says.
 * - `--keep`: starts the service, prints how tools reach it, and waits for Ctrl-C.
 *
 * Reports of the tools are in dist/real-services/NAME/TOOL. What is installed is kept in the cache
 * folder of this project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CommandError } from '../shell.ts';
import { exitAtSignals } from './at-exit.ts';
import { keep } from './keep.ts';
import { complaints, withRows } from './page.ts';
import { detailsOf, HEAD, lineOf, type Row } from './row.ts';
import type { RealService } from './service.ts';
import { SERVICES } from './services/index.ts';
import { DIST, type Tool, TOOLS } from './tools.ts';
import { attempt, type Outcome, type Settings } from './trial.ts';

const PAGE = join(DIST, '../docs/maintainers/real-services.md');

interface CommandLine extends Settings {
  services: readonly RealService[];
  tools: readonly Tool[];
  write: boolean;
  check: boolean;
  keep: boolean;
  /** By default a free one. */
  port: number | undefined;
}

/** Enough on a busy machine. */
const GRACE_SECONDS = 30;

/** @throws {CommandError} for an unknown option, or an invalid value */
function settingsOf(args: string[]): CommandLine {
  const { values, positionals } = parsedArguments(args);
  const services = positionals.includes('all') ? SERVICES : positionals.map(serviceNamed);
  if (services.length === 0) {
    throw new CommandError(`name at least one of ${NAMES}, or all`);
  }
  if (values.keep && services.length > 1) {
    throw new CommandError('--keep starts one service: name one');
  }
  return {
    services,
    tools: toolsNamed(values.tool),
    seconds: wholeNumber('seconds', values.seconds),
    graceSeconds: GRACE_SECONDS,
    seed: wholeNumber('seed', values.seed),
    reports: join(DIST, 'real-services'),
    write: values.write,
    check: values.check,
    keep: values.keep,
    port: values.port === undefined ? undefined : wholeNumber('port', values.port),
  };
}

function parsedArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        tool: { type: 'string' },
        seconds: { type: 'string', default: '120' },
        seed: { type: 'string', default: '1' },
        write: { type: 'boolean', default: false },
        check: { type: 'boolean', default: false },
        keep: { type: 'boolean', default: false },
        port: { type: 'string' },
      },
    });
  } catch (error) {
    throw new CommandError((error as Error).message);
  }
}

const NAMES = SERVICES.map(({ name }) => name).join(', ');

function serviceNamed(name: string): RealService {
  const service = SERVICES.find((one) => one.name === name);
  if (service === undefined) {
    throw new CommandError(`there is no service ${name}: name one of ${NAMES}, or all`);
  }
  return service;
}

function toolsNamed(name: string | undefined): readonly Tool[] {
  const tools = TOOLS.filter((tool) => name === undefined || tool.name === name);
  if (tools.length === 0) {
    throw new CommandError(`--tool is suite or schemathesis, not ${name}`);
  }
  return tools;
}

function wholeNumber(option: string, text: string): number {
  const isPositive = /^[1-9]\d{0,8}$/.test(text);
  if (!isPositive) {
    throw new CommandError(`--${option} is a whole number from 1 on, not ${text}`);
  }
  return Number(text);
}

async function measure(
  service: RealService,
  settings: Settings & { tools: readonly Tool[] },
): Promise<Row> {
  const outcomes = new Map<Tool, Outcome>();
  for (const tool of settings.tools) {
    outcomes.set(tool, await attempt(service, tool, settings));
  }
  return { service, outcomes };
}

const print = (text: string) => {
  process.stdout.write(text);
};

async function main(args: string[]): Promise<void> {
  const settings = settingsOf(args);
  const [first] = settings.services;
  if (settings.keep && first) {
    await keep(first, settings.port);
    return;
  }
  const rows: Row[] = [];
  for (const service of settings.services) {
    const row = await measure(service, settings);
    rows.push(row);
    print(lineOf(row));
    print(
      detailsOf(row)
        .map((line) => `${line}\n`)
        .join(''),
    );
  }
  print(`\n${HEAD}${rows.map(lineOf).join('')}`);
  if (settings.write) {
    writeFileSync(PAGE, withRows(readFileSync(PAGE, 'utf8'), rows));
  }
  if (settings.check) {
    check(rows);
  }
}

/** Prints a line for each service, and the line by which CI counts. */
function check(rows: readonly Row[]): void {
  let failed = 0;
  const page = readFileSync(PAGE, 'utf8');
  for (const row of rows) {
    const found = complaints(page, row);
    if (found.length > 0) {
      failed++;
      process.exitCode = 1;
    }
    print(`${row.service.name}: ${found.length === 0 ? 'ok' : found.join('; ')}\n`);
  }
  print(`\n${rows.length - failed} passed, ${failed} failed\n`);
}

exitAtSignals();
try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof CommandError)) {
    throw error;
  }
  process.stderr.write(`real-services: ${error.message}\n`);
  process.exitCode = 2;
}
