#!/usr/bin/env node
/**
 * What kinds of check cost: the requests and the CPU time of the suite for each of them, in a run
 * of its requirements alone, with the start and the survey that every run has.
 *
 *     node tools/run.js conformance/self-test/cost URL [OPTION ...]
 *
 * The options go to the suite, such as `--level extended --seed 1`. Prints rows of a table.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Report } from '../engine/run/result.ts';
import { KINDS_OF_CHECK } from './kinds-of-check.ts';

/** A requirement with few requests. */
const CHEAP = 'protocol.404';

interface Cost {
  requirements: number;
  requests: number;
  /** In seconds, in user and system mode, of all threads. */
  cpu: number;
}

/** Writes the CPU time of the process to stderr as it ends. */
const METER = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => {' +
    'const { userCPUTime, systemCPUTime } = process.resourceUsage();' +
    'process.stderr.write("\\n" + (userCPUTime + systemCPUTime) / 1e6);' +
    '});',
)}`;

const SUITE = fileURLToPath(new URL('../main.js', import.meta.url));

/** @throws Error if there is no report */
function costOf(args: readonly string[]): Cost {
  const folder = mkdtempSync(join(tmpdir(), 'cost-'));
  try {
    const suite = ['--import', METER, SUITE, ...args, '--report', folder];
    // A service that is not conformant is measured, too.
    const { stderr } = spawnSync(process.execPath, suite, {
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const file = join(folder, 'report.json');
    if (!existsSync(file)) {
      throw new Error(stderr);
    }
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    const cpu = Number(stderr.split('\n').at(-1));
    return { requirements: report.requirements.length, requests: report.requests, cpu };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function printRow(kind: string, { requirements, requests, cpu }: Cost): void {
  const counts = [requirements, requests].map((count) => count.toLocaleString('en'));
  const cells = [kind, ...counts, cpu.toFixed(1)];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function main(args: readonly string[]): void {
  process.stdout.write('| kind of check | requirements | requests | CPU, s |\n|---|---|---|---|\n');
  for (const { name, requirements } of KINDS_OF_CHECK) {
    printRow(name, costOf([...args, ...requirements.flatMap((id) => ['--only', id])]));
  }
  printRow('the start and the survey, with one requirement', costOf([...args, '--only', CHEAP]));
  printRow('all requirements', costOf(args));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  main(process.argv.slice(2));
}
