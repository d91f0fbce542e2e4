#!/usr/bin/env node
/**
 * Which planted errors the suite and Schemathesis find in the same time, and what each reports without an error:
 *     node tools/run.js conformance/self-test/compare/main [--service NAME] [--only ERROR] [--tool suite|schemathesis]
 *                                                     [--level core|extended] [--seconds N] [--seed N] [--verbose]
 *                                                     [--write] [--serve]
 * `--verbose` says who finds each error, and by what. `--write` puts the table into the page. `--serve` starts the
 * service with the error of `--only`, or none, prints its address and waits.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { contractOf } from '../planted.ts';
import { type Compared, errorsOf, SERVICES } from './services.ts';
import { type Outcome, TOOLS } from './tools.ts';

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
const chosen = <T>(all: Readonly<Record<string, T>>, name: string | undefined) =>
  Object.entries(all).filter(([one]) => (name ?? one) === one);
const services = chosen(SERVICES, values.service);
const tools = chosen(TOOLS, values.tool);
const wanted = (name: string) => errorsOf(name).filter((one) => (values.only ?? one) === one);
if (services.length * tools.length === 0 || services.every(([name]) => wanted(name).length === 0)) {
  process.stderr.write(
    'no such service, tool or error: see the folders of conformance/self-test/contracts\n',
  );
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), 'compare-'));
const print = (line: string) => void process.stdout.write(`${line}\n`);

type Tool = (typeof tools)[number][1];

/** Tries the service with this error, or none: a new one each time. */
async function attempt(
  service: Compared,
  contract: string,
  tool: Tool,
  error = '',
  first = false,
): Promise<Outcome> {
  const { url, close } = await service.start(error);
  const { level, seconds, seed } = values;
  const trial = {
    url,
    contract,
    key: service.key,
    level,
    first,
    seconds: Number(seconds),
    seed: Number(seed),
  };
  return tool(trial).finally(close);
}

/** The path of a contract, as the service without an error has it: with an error, a generated one is another. */
async function saved({ contract = '', start }: Compared): Promise<string> {
  const { url, close } = await start('');
  const path = join(folder, 'openapi.json');
  writeFileSync(path, await (await fetch(url + contract)).text());
  await close();
  return path;
}

/** @returns how many errors the tool finds, its false alarms, and its requests and seconds on the correct service */
async function measure(
  name: string,
  contract: string,
  toolName: string,
  tool: Tool,
): Promise<number[]> {
  const service = SERVICES[name]!;
  const say = (error: string, result: string) => {
    if (values.verbose) {
      print(`${name}, ${error}, ${toolName}: ${result}`);
    }
  };
  const honest = await attempt(service, contract, tool);
  const alarms = [...honest.failures].map((one) => one.join(' '));
  say('no error', [...alarms, honest.trouble ?? `${alarms.length} failures`].join('; '));
  let found = 0;
  for (const error of wanted(name)) {
    const { failures, trouble = 'nothing' } = await attempt(
      service,
      contract,
      tool,
      error,
      alarms.length === 0,
    );
    // What it says of the correct service says nothing about this error.
    const fresh = [...failures]
      .filter(([one]) => !honest.failures.has(one))
      .map((one) => one.join(' '));
    if (fresh.length > 0) {
      found++;
    }
    say(error, fresh.length > 0 ? `found by ${fresh.length}: ${fresh[0]}` : `MISSED (${trouble})`);
  }
  return [found, alarms.length, honest.requests, Math.round(honest.seconds)];
}

async function table(): Promise<string> {
  const rows = [
    `| service | errors | found by ${tools.map(([name]) => name).join(' / ')} | false alarms | requests | seconds |`,
    '|---|---|---|---|---|---|',
  ];
  for (const [name, service] of services) {
    const contract = service.contract ? await saved(service) : contractOf(name);
    const measured: number[][] = [];
    for (const [toolName, tool] of tools) {
      measured.push(await measure(name, contract, toolName, tool));
    }
    const cells = [0, 1, 2, 3].map((at) => measured.map((figures) => figures[at]).join(' / '));
    rows.push(`| ${name}: ${service.style} | ${[wanted(name).length, ...cells].join(' | ')} |`);
  }
  return `${rows.join('\n')}\n`;
}

if (values.serve) {
  for (const [name, { start }] of services) {
    print(`${name}: ${(await start(values.only ?? '')).url}`);
  }
} else {
  const made = await table().finally(() => rmSync(folder, { recursive: true }));
  print(made);
  // The page has one table.
  if (values.write) {
    writeFileSync(PAGE, readFileSync(PAGE, 'utf8').replace(/(^\|.*\n)+/m, made));
  }
}
